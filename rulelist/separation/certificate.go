package separation

import (
	"cmp"
	"slices"
)

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
