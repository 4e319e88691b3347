package separation

import (
	"cmp"
	"math"
	"slices"
)

// The exact bound.
//
// Weights are integers on the scale of the problem, and so are all sums; no
// floating point takes part. Every load is at most the sum of the weights, and
// that sum is kept below 2^62, so no sum overflows; the bound is given up (0,
// which is always true) as soon as the penalties reach the sum.

// Weight is a set of a pool with its weight in a bound.
type Weight struct {
	Set int32
	Y   int64
}

// Bound is an exact lower bound for a context, and the loads that gave it.
type Bound struct {
	Value   int64   // what completions cost at least beyond the prefix, scaled
	rules   []int64 // load of each rule
	points  []int64 // load of each point
	touched []Point // with a load
}

// Evaluate sets b to the bound that weights give in a context. Weights that are
// not positive, and sets with a point that is not left, count as 0.
func (p *Problem) Evaluate(b *Bound, c *Context, l *Pool, weights []Weight) int64 {
	b.clear(p)
	var sum int64
	for _, w := range weights {
		if w.Y <= 0 || !c.has(l.Set(w.Set)) {
			continue
		}
		if w.Y >= math.MaxInt64>>1-sum {
			b.clear(p)
			return 0
		}
		sum += w.Y
		b.load(c, l, w)
	}
	if b.Value = b.penalise(p, sum); b.Value == 0 {
		b.clear(p)
	}
	return b.Value
}

// clear forgets all loads.
func (b *Bound) clear(p *Problem) {
	if b.rules == nil {
		b.rules, b.points = make([]int64, p.rules()), make([]int64, len(p.cost))
	}
	clear(b.rules)
	for _, e := range b.touched {
		b.points[e] = 0
	}
	b.touched, b.Value = b.touched[:0], 0
}

// load adds the weight of a set to all that its inequality holds.
func (b *Bound) load(c *Context, l *Pool, w Weight) {
	for _, e := range l.Set(w.Set) {
		if b.points[e] == 0 {
			b.touched = append(b.touched, e)
		}
		b.points[e] += w.Y
	}
	for rule := range c.pure(l, w.Set) {
		b.rules[rule] += w.Y
	}
}

// penalise returns sum less the penalties, or 0 if that is not positive.
func (b *Bound) penalise(p *Problem, sum int64) int64 {
	for _, load := range b.rules {
		if sum -= max(0, load-p.rule); sum <= 0 {
			return 0
		}
	}
	for _, e := range b.touched {
		if sum -= max(0, b.points[e]-p.pointCost(e)); sum <= 0 {
			return 0
		}
	}
	return sum
}

// Fix takes the rules out of c that no completion can use which costs at most
// room beyond the prefix, on the scale of the problem, and returns how many.
//
// The bound is the least of a sum that has a term min(0, cost − load) for each
// rule. Where x(s,q) is 1, this term is cost − load instead: the bound rises by
// max(0, cost − load).
func (p *Problem) Fix(b *Bound, c *Context, room int64) (n int) {
	for rule := range c.rules() {
		if p.Excludes(b, rule, room) {
			c.Kill(rule)
			n++
		}
	}
	return n
}

// Excludes reports whether every completion with a rule costs more than room.
func (p *Problem) Excludes(b *Bound, rule int, room int64) bool {
	return b.Value+max(0, p.rule-b.rules[rule]) > room
}

// A certificate for people: weights whose bound closes the root alone, with all rules
// live, and with as few sets as are found. The search has no use for it, as fixing
// makes its LP smaller and its bound better.
//
// The LP has many solutions, and steps of first order end somewhere between them, with
// weights on hundreds of sets. A solution at a vertex has no more sets than rules and
// points at their price. So the sets of the smallest weights are left out and the LP
// is solved anew by the others, as long as that closes the root.

// sparsest is the number of sets of a certificate that is small enough.
const sparsest = 8

// Certificate looks for sets with weights whose bound exceeds room, with no rule fixed,
// and for few of them. It returns nil if there are none within the effort.
func (p *Problem) Certificate(room int64, effort Effort) []LinkSet {
	r := p.NewRoot(effort.Work, 1)
	if r == nil {
		return nil
	}
	r.whole = true
	r.Solve(room, effort)
	if r.Value <= room {
		return nil
	}
	best := r.Weights
	for drop := len(best) / 2; drop > 0 && len(best) > sparsest && effort.left(r.s.work, 1) > 0; {
		if fewer := r.without(best, drop, room, effort); fewer != nil {
			best = fewer
			drop = min(drop, len(best)/2)
		} else {
			drop /= 2
		}
	}
	sets := make([]LinkSet, len(best))
	for i, w := range best {
		sets[i] = LinkSet{r.Pool.Set(w.Set), w.Y}
	}
	return sets
}

// without solves the LP again without the sets of the smallest weights. It returns nil
// if that does not close the root.
func (r *Root) without(weights []Weight, drop int, room int64, effort Effort) []Weight {
	kept := slices.Clone(weights)
	slices.SortStableFunc(kept, func(a, b Weight) int { return cmp.Compare(b.Y, a.Y) })
	var sets []int32
	for _, w := range kept[:len(kept)-drop] {
		sets = append(sets, w.Set)
	}
	slices.Sort(sets)
	work := r.s.work
	*r = Root{P: r.P, Pool: r.Pool, Context: r.Context, whole: true}
	r.begin(r.Context, sets)
	r.s.work = work
	for tries := 0; tries < 6 && r.Value <= room && effort.left(r.s.work, 1) > 0; tries++ {
		r.descend(room, &effort)
	}
	if r.Value <= room {
		return nil
	}
	return r.Weights
}
