package separation

import (
	"math/rand/v2"
	"testing"

	"parcorels/internal/testing/testgen"
	"parcorels/ratio"
)

// TestEveryPrefix bounds every prefix of small instances by an ascent, some by an LP as
// well, and holds all that is said against what every completion costs: the bound of the
// prefix, what its weights give exactly, the rules that it fixes, the bounds of its
// children, and the links of a proof. The sets are those of the root's LP, some at random
// or all that there are, in any order, with weights of any size. PARCORELS_ORACLE is the
// number of prefixes here.
func TestEveryPrefix(t *testing.T) {
	var k counted
	for seed := uint64(0); k.prefixes < runs(20000); seed++ {
		rng := rand.New(rand.NewPCG(seed, 71))
		x := layOut(t, extreme(rng, []testgen.Generator{testgen.Small, testgen.Ties, testgen.Nearly, testgen.Knotty}[seed%4](seed)))
		if x.in.Points > 11 || x.in.Points < 2 || x.in.Antecedents < 2 || x.in.Antecedents > 6 {
			continue
		}
		newPrefixes(t, x, rng, seed).walk(&k, nil, x.p.all)
		k.instances++
	}
	t.Logf("%+v", k)
	if k.split < k.prefixes/20 || k.splitChildren < k.prefixes/20 {
		t.Errorf("%+v: this shows little of splits", k)
	}
	if k.positive < k.prefixes/3 || k.tight < k.prefixes/20 || k.closed < k.prefixes/20 || k.children < k.prefixes/5 {
		t.Errorf("%+v: this shows little", k)
	}
}

// counted tells how much a test has shown.
type counted struct {
	instances, prefixes, positive, tight, closed, children uint64
	split, splitChildren                                   uint64 // bounds of a split near the best, and those of children
}

// extreme gives some instances weights or a λ near their limits.
func extreme(rng *rand.Rand, in testgen.Instance) testgen.Instance {
	switch rng.IntN(6) {
	case 0:
		in.Lambda = ratio.New(1, 1+rng.Int64N(1<<40))
	case 1:
		in.Lambda = ratio.New(89+rng.Int64N(10), 100)
	}
	// The total weight times λ's denominator stays below 2^60, in a quarter of cases barely.
	most := (1<<60 - 1) / in.Lambda.Den
	if fits := in.Total() <= most; fits && rng.IntN(4) > 0 {
		return in
	}
	in.Weights = make([]int64, len(in.Labels))
	for i := range in.Weights {
		in.Weights[i] = max(1, most/int64(len(in.Labels))>>rng.IntN(1+rng.IntN(50)))
	}
	return in
}

// prefixes bounds the prefixes of an instance.
type prefixes struct {
	laidOut
	t      *testing.T
	rng    *rand.Rand
	seed   uint64
	node   *Node
	halves *SplitNode // nil: no split
	full   bool       // no rule is left out for gaining too little
	done   map[uint64]bool
	best   map[uint64]completion
}

func newPrefixes(t *testing.T, x laidOut, rng *rand.Rand, seed uint64) *prefixes {
	r := x.p.NewRoot(1<<30, 1)
	full := rng.IntN(2) == 0
	for q := range r.Context.Live {
		if full {
			r.Context.Live[q][0] = 1<<x.in.Antecedents - 1
		}
	}
	var halves *SplitNode
	if s := r.NewSplit(); s != nil {
		halves = s.NewNode()
	}
	if rng.IntN(2) == 0 {
		r.Chain()
	}
	r.whole = true // no incumbent fixes rules
	r.Solve(1<<61, Effort{Work: 1 << (6 + rng.IntN(10))})
	weigh := func() float64 { return rng.Float64() * rng.Float64() }
	if rng.IntN(4) == 0 {
		weigh = func() float64 { return rng.ExpFloat64() * float64(int64(1)<<rng.IntN(40)) }
	}
	switch all := points(x.p.all); {
	case rng.IntN(3) == 0:
		x.addSome(r, rng)
	case rng.IntN(2) == 0 && len(all) <= 8:
		x.addAll(r.Pool, all)
		for len(r.y) < r.Pool.Len() {
			r.y = append(r.y, 0)
		}
	}
	if rng.IntN(2) == 0 {
		for k := range r.y {
			if r.y[k] = 0; rng.IntN(3) == 0 {
				r.y[k] = weigh()
			}
		}
	}
	return &prefixes{
		laidOut: x, t: t, rng: rng, seed: seed, node: r.NewNode(), halves: halves, full: full,
		done: map[uint64]bool{}, best: map[uint64]completion{},
	}
}

// key names what is left: points are few, and of two words at the most.
func (x *prefixes) key(left []uint64) (k uint64) {
	for i, w := range left {
		k |= w << (32 * i)
	}
	return k
}

func (x *prefixes) behind(left []uint64, col int) (out []uint64) {
	for i, w := range left {
		out = append(out, w&^x.in.Columns[col][i])
	}
	return out
}

// walk bounds what is left, and whatever a rule leaves of it.
func (x *prefixes) walk(k *counted, prefix []Column, left []uint64) {
	if x.done[x.key(left)] {
		return
	}
	x.done[x.key(left)] = true
	x.bound(k, prefix, left)
	for col := range x.in.Antecedents {
		x.walk(k, append(prefix, Column(col)), x.behind(left, col))
	}
}

// smallest is the best completion.
func (x *prefixes) smallest(left []uint64) completion {
	if c, ok := x.best[x.key(left)]; ok {
		return c
	}
	c := x.laidOut.best(points(left), 0)
	x.best[x.key(left)] = c
	return c
}

// first is the rule that a column makes where so much is left, and what it costs with its
// errors. Among equal classes it is the one that the search takes.
func (x *prefixes) first(left, out []uint64, col int) (rule int, cost int64) {
	in := make([]uint64, len(left))
	for i := range left {
		in[i] = left[i] &^ out[i]
	}
	zero, one := x.errors(points(in), 0), x.errors(points(in), 1)
	if one < zero {
		return 2*col + 1, x.p.rule + one
	}
	return 2 * col, x.p.rule + zero
}

// bound bounds a prefix and checks all that this says.
func (x *prefixes) bound(k *counted, prefix []Column, left []uint64) {
	best, n := x.smallest(left), x.node
	room := best.value
	switch x.rng.IntN(4) {
	case 0:
		room -= 1 + x.rng.Int64N(best.value/2+1)
	case 1:
		room += x.rng.Int64N(x.p.rule + 1)
	case 2:
		room = 1 << 61
	}
	k.prefixes++
	x.splits(k, prefix, left, room)
	n.Begin(prefix, left, liveMasks(x.p, func(q, word int) uint64 { return x.live(left, q, word) }), room)
	for rule := range 2 * x.in.Antecedents {
		if n.IsLive(rule/2, rule%2) && x.live(left, rule%2, 0)>>(rule/2)&1 == 0 {
			x.t.Fatalf("seed %d: an ascent makes room for rule %d, which no completion uses\n%v", x.seed, rule, x.Instance)
		}
	}
	x.atMost(n.Value, best.value, "the bound of an ascent", left)
	x.atMost(min(n.Value, room+1), best.value, "the bound of the prefix", left)
	if exact := x.p.Evaluate(new(Bound), &n.Context, n.root.Pool, n.Weights()); exact < n.Value && n.Value <= room {
		x.t.Fatalf("seed %d: the bound is %d, its weights give %d\n%v", x.seed, n.Value, exact, x.Instance)
	}
	x.links(left, best)
	if n.Value > 0 {
		k.positive++
	}
	if n.Value > best.value/16*15 {
		k.tight++
	}
	if n.Value > room {
		k.closed++
		return
	}
	n.Children()
	x.children(k, left, room)
}

// splits holds the split bound of a prefix and its children against what the best completions cost.
func (x *prefixes) splits(k *counted, prefix []Column, left []uint64, room int64) {
	if x.halves == nil {
		return
	}
	best := x.smallest(left).value
	value := x.halves.Prefix(prefix, room)
	x.atMost(value, best, "the split bound of the prefix", left)
	if value > best/8*7 {
		k.split++
	}
	x.halves.Children()
	for col := range x.in.Antecedents {
		out := x.behind(left, col)
		rule, _ := x.first(left, out, col)
		if x.live(left, rule%2, 0)>>col&1 == 0 {
			continue
		}
		value := x.halves.Child(col)
		x.atMost(value, x.smallest(out).value, "the split bound of a child", out)
		if value > 0 {
			k.splitChildren++
		}
	}
}

// live has all rules, or those that gain more than they cost.
func (x *prefixes) live(left []uint64, q, word int) (m uint64) {
	for col := range x.in.Antecedents {
		var gain int64
		for _, e := range points(left) {
			if x.holds(col, e) && x.p.label(e) == q {
				gain += x.p.unit * x.p.cost[e]
			}
		}
		if col/64 == word && (x.full || gain > x.p.price) {
			m |= 1 << (col % 64)
		}
	}
	return m
}

// links evaluates a proof's bounds of the prefix one after the other, without what they
// fix.
func (x *prefixes) links(left []uint64, best completion) {
	c := &Context{Left: left, Live: make([][]uint64, 2)}
	for q := range c.Live {
		c.Live[q] = []uint64{x.live(left, q, 0)}
	}
	for _, link := range x.node.Links() {
		l := x.p.NewPool()
		var weights []Weight
		for _, set := range link.Sets {
			k, _ := l.Add(set.Points)
			if set.Y&(1<<link.Shift-1) != 0 {
				x.t.Fatalf("seed %d: a weight of %d is no multiple of 2^%d\n%v", x.seed, set.Y, link.Shift, x.Instance)
			}
			weights = append(weights, Weight{k, set.Y})
		}
		x.atMost(x.p.Evaluate(new(Bound), c, l, weights), best.value, "the bound of a link", left)
	}
}

// children checks the bounds of children that the incumbent does not beat.
func (x *prefixes) children(k *counted, left []uint64, room int64) {
	for col := range x.in.Antecedents {
		out := x.behind(left, col)
		rule, cost := x.first(left, out, col)
		if !x.node.Context.IsLive(rule) {
			continue
		}
		value := x.node.Child(col)
		if best := x.smallest(out).value; best < value && cost+best <= room {
			x.t.Fatalf("seed %d: behind antecedent %d the bound is %d, the best completion costs %d\n%v", x.seed, col, value, best,
				x.Instance)
		}
		if value > 0 {
			k.children++
		}
	}
}

func (x *prefixes) atMost(bound, best int64, what string, left []uint64) {
	x.t.Helper()
	if bound > best {
		x.t.Fatalf("seed %d: %s is %d, the best completion of %v costs %d\n%v", x.seed, what, bound, points(left), best, x.Instance)
	}
}

// addSome adds random sets to the root's pool, with weights that no LP gave them.
func (x laidOut) addSome(r *Root, rng *rand.Rand) {
	all := points(x.p.all)
	for range 20 {
		var set []Point
		var labels [2]bool
		for _, e := range all {
			if rng.IntN(3) == 0 {
				set = append(set, e)
				labels[x.p.label(e)] = true
			}
		}
		if labels[0] && labels[1] {
			if _, fresh := r.Pool.Add(set); fresh {
				r.y = append(r.y, rng.Float64()*rng.Float64())
			}
		}
	}
}
