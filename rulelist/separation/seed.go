package separation

import (
	"errors"
	"slices"
)

// Seed is what a root's LP has found, for processes that do not solve it: sets of points, and
// weights on them.
//
// Nothing in it is believed. A set whose points have two labels has its inequality, and a bound is
// true for any weights (argument.go). So who takes a seed looks at the sets, computes each bound
// anew in exact integers, and fixes the rules that it excludes. A seed with bad weights gives
// a bad bound, never a false one.
type Seed struct {
	Sets  [][]Point // in the order of ascents
	Steps []Step    // bounds that fixed rules, in their order
	Best  []Weight  // those of the best bound
	Last  []Weight  // those of the LP's last point
}

// Step is a bound that fixed rules.
type Step struct {
	Shift   uint // as in Link
	Weights []Weight
}

// ErrSeed reports a seed of another problem, or none.
var ErrSeed = errors.New("separation: the sets are none of this problem")

// SeedOf returns what the LP of a root has found, after Solve.
func SeedOf(r *Root) *Seed {
	order := r.order()
	place := make([]int32, len(order))
	s := &Seed{}
	for i, k := range order {
		place[k] = int32(i)
		s.Sets = append(s.Sets, slices.Clone(r.Pool.Set(k)))
	}
	at := func(weights []Weight) []Weight {
		out := make([]Weight, len(weights))
		for i, w := range weights {
			out[i] = Weight{place[w.Set], w.Y}
		}
		return out
	}
	for _, step := range r.steps {
		s.Steps = append(s.Steps, Step{step.Shift, at(step.Weights)})
	}
	s.Best, s.Last = at(r.Weights), at(r.tried)
	return s
}

// mostWeight bounds the weight that a seed begins a set with, in prices of a rule.
const mostWeight = 1 << 20

// FromSeed makes a root of p from a seed, and fixes rules as Solve does, against an incumbent that costs
// room beyond the root. With chained it keeps links.
func FromSeed(p *Problem, s *Seed, room int64, chained bool) (*Root, error) {
	r := &Root{Context: p.NewContext(), seeded: true}
	r.P, r.Pool, r.chained = p, p.NewPool(), chained
	for _, set := range s.Sets {
		if !p.holds(set) {
			return nil, ErrSeed
		}
		if _, fresh := r.Pool.Add(set); !fresh {
			return nil, ErrSeed
		}
	}
	for _, step := range s.Steps {
		if !r.within(step.Weights) || step.Shift > 62 {
			return nil, ErrSeed
		}
		weights := rounded(step.Weights, step.Shift)
		p.Evaluate(&r.Bound, r.Context, r.Pool, weights)
		r.fixBy(r.Context, room, weights, step.Shift)
	}
	if !r.within(s.Best) || !r.within(s.Last) {
		return nil, ErrSeed
	}
	r.Weights, r.tried = s.Best, s.Last
	r.Value = p.Evaluate(&r.Bound, r.Context, r.Pool, s.Best)
	r.y = make([]float64, r.Pool.Len())
	for _, w := range s.Last {
		r.y[w.Set] = min(max(float64(w.Y)/float64(p.rule), 0), mostWeight)
	}
	return r, nil
}

// holds reports whether a set has an inequality: ascending points of the problem, of two labels at
// least.
func (p *Problem) holds(set []Point) bool {
	two := false
	for i, e := range set {
		if e < 0 || int(e) >= len(p.cost) || p.all[e/64]>>(e%64)&1 == 0 || i > 0 && e <= set[i-1] {
			return false
		}
		two = two || p.label(e) != p.label(set[0])
	}
	return two
}

// within reports whether weights are of sets that the pool has.
func (r *Root) within(weights []Weight) bool {
	return !slices.ContainsFunc(weights, func(w Weight) bool { return w.Set < 0 || int(w.Set) >= r.Pool.Len() })
}
