package separation

import (
	"cmp"
	"math/bits"
	"slices"

	"parcorels/bitvec"
)

// The split bound: the costs of points are split among pairs, by one order for all prefixes.
//
// The weight of each pair that a prefix leaves is raised as far as its points and the rules that make it right bear, as in an
// ascent (ascent.go). So no load exceeds its cost, and the bound is the sum of the weights: LB(y) of argument.go. A child
// keeps the weights of the pairs that its rule does not touch, with loads that are at most as large.
//
// The order needs no LP. Pairs that few rules make right come first. Among those with as many, pairs that the same rules make
// right are a bundle, which weighs no more than one rule costs. Light bundles come first: heavy ones have enough without
// the points of light ones. On NYCLU with λ = .0025 the bound of a prefix is 85% to 99% of that of its LP with all pairs.
//
// A pair with few rules takes some nanoseconds, a fraction of what a set of an ascent does. On tables of some dozens of
// antecedents and much noise that makes the bound worth its while at each prefix.

const (
	fewRules     = 8 // of a pair at most
	splitCore    = 4
	splitColumns = 127 // most columns of a problem, as each rule and the missing one have a byte
	splitPoints  = 1 << 16
	splitSample  = 32 // points that are looked at before
	splitNear    = 4  // rules between one and its neighbour
	splitRule    = 15 // bits of a rule's price in quanta
	splitTotal   = 30 // of all costs
)

// Split has the pairs in the order in which their weights are raised. It is immutable.
type Split struct {
	p        *Problem
	quantum  int64             // weight of one
	rule     int32             // quanta
	cost     []int16           // by point, quanta, at most those of a rule
	live     [][]uint64        // by label, the columns whose rule a completion may use
	pairs    [][64]pair        // by word of a set of pairs
	ends     [fewRules + 1]int // by number of rules, the end of the words
	all      []uint64          // every pair
	touching [][]uint64        // by column, the pairs with a point that it captures
	pure     [][]uint64        // by rule, the pairs that it makes right
	columns  [][]uint64        // by word of the columns and pair, those that touch it
}

// pair is two points and the rules that make both right. A rule that is missing is the one behind the last.
type pair struct {
	points [2]uint16
	rules  [fewRules]uint8
}

// NewSplit orders the pairs of the root's first pool. It returns nil unless most of them have few rules.
func (r *Root) NewSplit() *Split {
	p := r.P
	if p.labels != 2 || len(p.Columns) > splitColumns || len(p.cost) > splitPoints {
		return nil
	}
	s := &Split{p: p}
	few, levels := 0, [fewRules + 1][]pair{}
	for k := range int32(r.Pool.Len()) {
		if x, n := r.pairOf(k); n <= fewRules {
			levels[n] = append(levels[n], x)
			few++
		}
	}
	if 2*few <= r.Pool.Len() {
		return nil
	}
	for _, live := range r.Context.Live {
		s.live = append(s.live, slices.Clone(live))
	}
	s.quantise()
	for n, level := range levels {
		s.order(level)
		for some := range slices.Chunk(level, 64) {
			s.add(some)
		}
		s.ends[n] = len(s.pairs)
	}
	return s
}

// pairOf returns a pair of the pool, and how many rules make it right.
func (r *Root) pairOf(k int32) (x pair, n int) {
	set := r.Pool.Set(k)
	x.points = [2]uint16{uint16(set[0]), uint16(set[1])}
	for i := range x.rules {
		x.rules[i] = uint8(r.P.rules())
	}
	for rule := range r.Context.pure(r.Pool, k) {
		if n < fewRules {
			x.rules[n] = uint8(rule)
		}
		n++
	}
	return x, n
}

// quantise finds a quantum with which a rule and all points have few bits, and rounds their costs down. Most points have the
// least cost, which is a whole number of quanta.
func (s *Split) quantise() {
	p, total, least := s.p, int64(0), s.p.rule
	for e, c := range p.cost {
		total += min(p.pointCost(Point(e)), p.rule)
		if c > 0 {
			least = min(least, p.pointCost(Point(e)))
		}
	}
	s.quantum = max(p.rule>>splitRule, total>>splitTotal) + 1
	s.quantum = max(s.quantum, least/max(1, least/s.quantum))
	s.rule = int32(p.rule / s.quantum)
	for e := range p.cost {
		s.cost = append(s.cost, int16(min(p.pointCost(Point(e)), p.rule)/s.quantum))
	}
}

// order puts pairs of light bundles first.
func (s *Split) order(pairs []pair) {
	type bundle struct {
		weight int64
		pairs  []pair
	}
	var bundles []bundle
	known := map[[fewRules]uint8]int{}
	for _, x := range pairs {
		i, ok := known[x.rules]
		if !ok {
			i = len(bundles)
			known[x.rules], bundles = i, append(bundles, bundle{})
		}
		bundles[i].weight += int64(min(s.cost[x.points[0]], s.cost[x.points[1]]))
		bundles[i].pairs = append(bundles[i].pairs, x)
	}
	slices.SortStableFunc(bundles, func(a, b bundle) int { return cmp.Compare(a.weight, b.weight) })
	pairs = pairs[:0]
	for _, b := range bundles {
		pairs = append(pairs, b.pairs...)
	}
}

// add appends a word of pairs.
func (s *Split) add(pairs []pair) {
	var word [64]pair
	copy(word[:], pairs)
	s.pairs, s.all = append(s.pairs, word), append(s.all, ^uint64(0)>>(64-len(pairs)))
	grow := func(sets [][]uint64, n, words int) [][]uint64 {
		sets = slices.Grow(sets, n)[:n]
		for i := range sets {
			sets[i] = append(sets[i], make([]uint64, words)...)
		}
		return sets
	}
	s.touching, s.pure = grow(s.touching, len(s.p.Columns), 1), grow(s.pure, s.p.rules()+1, 1)
	s.columns = grow(s.columns, s.p.width, 64)
	at := len(s.pairs) - 1
	for i, x := range pairs {
		for _, rule := range x.rules {
			s.pure[rule][at] |= 1 << i
		}
		for w := range s.columns {
			any := s.p.row(Point(x.points[0]))[w] | s.p.row(Point(x.points[1]))[w]
			s.columns[w][64*at+i] = any
			for ; any != 0; any &= any - 1 {
				s.touching[64*w+bits.TrailingZeros64(any)][at] |= 1 << i
			}
		}
	}
}

// FewApart reports whether, of some points, most have one of the other label that few rules tell from them.
func (p *Problem) FewApart() bool {
	if p.labels != 2 || len(p.Columns) > splitColumns {
		return false
	}
	s := p.newPairs(p.NewContext())
	few, seen := 0, 0
	for i := 0; i < len(s.all); i += len(s.all)/splitSample + 1 {
		seen++
		few += s.fewFrom(s.all[i])
	}
	return 2*few > seen
}

// fewFrom returns 1 if a point has such a neighbour.
func (s *Pairs) fewFrom(e Point) int {
	for _, f := range s.others[s.p.label(e)] {
		if s.p.apart(s.c, e, f) <= splitNear {
			return 1
		}
	}
	return 0
}

// Problem returns the problem that is bounded.
func (s *Split) Problem() *Problem { return s.p }

// Steps is about what the bounds of a prefix and its children cost, in steps of the counting kernel.
func (s *Split) Steps() int { return 4 * len(s.pairs) }

// SplitBytes is about the memory of a split of at most so many pairs.
func SplitBytes(pairs, columns int) int64 {
	return int64(pairs+64*fewRules) * int64(columns/2+16)
}

// SplitNode bounds prefixes, one after the other. Each worker has one of its own.
type SplitNode struct {
	s       *Split
	value   int64       // quanta of all pairs
	left    []int16     // by point, quanta that it bears yet
	spare   []int32     // by rule, likewise
	raised  []uint64    // pairs with a weight; before they have, those that the prefix leaves
	weight  []int32     // of these, quanta
	touched [][64]int32 // by word of the columns and column, quanta of the pairs that it touches
}

// NewNode returns a SplitNode.
func (s *Split) NewNode() *SplitNode {
	return &SplitNode{
		s: s, left: make([]int16, len(s.cost)), spare: make([]int32, s.p.rules()+1),
		raised: make([]uint64, len(s.all)), weight: make([]int32, 64*len(s.all)),
		touched: make([][64]int32, s.p.width),
	}
}

// unbearable is more than all pairs weigh. A rule that no completion uses bears as much.
const unbearable = 1<<(splitTotal+1) - 1

// Prefix bounds what completions cost beyond a prefix. The bound may be the first that exceeds most. Pairs that more than
// splitCore rules make right add little, so they are left out where the others leave a rule or more to most.
func (n *SplitNode) Prefix(prefix []Column, most int64) int64 {
	n.begin(prefix)
	most /= n.s.quantum
	from := 0
	for rules, to := range n.s.ends {
		open := n.raised[from:to]
		if len(open) == 0 {
			continue
		}
		if rules == splitCore { // of NYCLU's pairs they are half
			n.leaveFull(open, from)
		}
		for i := range open {
			if n.value > most || rules > splitCore && n.value+int64(n.s.rule) <= most {
				clear(n.raised[from+i:])
				return n.value * n.s.quantum
			}
			open[i] = n.raise(from+i, n.borne(from+i), rules)
		}
		from = to
	}
	return n.value * n.s.quantum
}

// leaveFull takes out the pairs with a full rule from the words behind one.
func (n *SplitNode) leaveFull(open []uint64, from int) {
	for rule, spare := range n.spare {
		if spare == 0 {
			bitvec.AndNot(open, open, n.s.pure[rule][from:from+len(open)])
		}
	}
}

// begin takes the points and pairs that the prefix leaves. No completion uses a rule that the root has not, or one of a column of
// the prefix.
func (n *SplitNode) begin(prefix []Column) {
	copy(n.raised, n.s.all)
	copy(n.left, n.s.cost)
	for rule := range n.spare {
		n.spare[rule] = unbearable
	}
	for q, live := range n.s.live {
		for col := range bitvec.Members(live) {
			n.spare[len(n.s.live)*col+q] = n.s.rule
		}
	}
	for _, col := range prefix {
		bitvec.AndNot(n.raised, n.raised, n.s.touching[col])
		for q := range n.s.live {
			n.spare[len(n.s.live)*int(col)+q] = unbearable
		}
	}
	n.value = 0
}

// borne returns the open pairs of a word whose points bear more. Most have one that does not, in no order that a processor could
// predict. So nothing branches here.
func (n *SplitNode) borne(word int) (some uint64) {
	pairs := &n.s.pairs[word]
	for m := n.raised[word]; m != 0; {
		e, rest := &pairs[lowest(m)].points, m&(m-1)
		spent := int64((n.left[e[0]]-1)|(n.left[e[1]]-1)) >> 63
		some |= (m ^ rest) &^ uint64(spent)
		m = rest
	}
	return some
}

// lowest returns the place of the lowest bit. [bits.TrailingZeros64] takes an instruction that waits for what its register holds,
// which here comes from memory: with it the search takes a quarter longer.
func lowest(m uint64) int { return bits.OnesCount64((m-1)&^m) & 63 }

// raise raises pairs of a word that so many rules make right, and returns those that have a weight then.
func (n *SplitNode) raise(word int, open uint64, rules int) (raised uint64) {
	pairs, weight := &n.s.pairs[word], n.weight[64*word:][:64]
	for m := open; m != 0; m &= m - 1 {
		bit := lowest(m)
		x := &pairs[bit]
		one, zero := &n.left[x.points[0]], &n.left[x.points[1]]
		a, b := &n.spare[x.rules[0]], &n.spare[x.rules[1]]
		more := min(int32(min(*one, *zero)), *a, *b)
		if rules > 2 {
			for _, rule := range x.rules[2:rules] {
				more = min(more, n.spare[rule])
			}
		}
		if more == 0 {
			continue
		}
		raised |= 1 << bit
		weight[bit] = more
		n.value += int64(more)
		*one -= int16(more)
		*zero -= int16(more)
		*a -= more
		*b -= more
		if rules > 2 {
			for _, rule := range x.rules[2:rules] {
				n.spare[rule] -= more
			}
		}
	}
	return raised
}

// Children prepares Child: it adds up, for each column, the weights of the pairs that it touches.
func (n *SplitNode) Children() {
	for i, masks := range n.s.columns {
		bitvec.SumBits(&n.touched[i], n.raised, masks, n.weight)
	}
}

// Child returns a bound on what completions cost beyond the child that a column makes.
func (n *SplitNode) Child(col int) int64 {
	return (n.value - int64(n.touched[col/64][col%64])) * n.s.quantum
}
