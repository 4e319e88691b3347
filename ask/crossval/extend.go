package crossval

import (
	"context"
	"slices"

	"parcorels/dataset"
	"parcorels/internal/status"
	"parcorels/ratio"
)

// maxExtensions bounds the λ that Search adds to its grid.
const maxExtensions = 10

// Search is Run with a grid of λ that is extended until the best λ lies inside
// it: by half the smallest while that is the best, and by twice the largest. It
// ends where the family's range does, and after maxExtensions additions; AtEdge
// then tells.
func Search(ctx context.Context, d *dataset.Dataset, o Options) (*Report, error) {
	r, err := Run(ctx, d, o)
	for range maxExtensions {
		if err != nil {
			return r, err
		}
		next, ok := r.beyond(d.N)
		if !ok {
			break
		}
		more := r.Options
		more.Lambdas = []ratio.Ratio{next}
		var one *Report
		if one, err = run(ctx, d, r.Folds, more); err != nil {
			return r, err
		}
		if l := r.Options.Lambdas; next.Less(l[0]) { // from large to small
			r.Options.Lambdas, r.Fits = append(slices.Clone(l), next), append(r.Fits, one.Fits[0])
		} else {
			r.Options.Lambdas, r.Fits = append(more.Lambdas, l...), append(one.Fits, r.Fits...)
		}
	}
	return r, err
}

// beyond returns the λ to add, if the best is at the edge of the grid.
func (r *Report) beyond(samples int) (next ratio.Ratio, ok bool) {
	best, complete := r.Pick(Best)
	if !complete {
		return next, false
	}
	l := r.Options.Lambdas[best]
	least, most := r.Options.Family.Range(samples)
	switch r.AtEdge(best) {
	case -1:
		next = ratio.New(l.Num, 2*l.Den)
		return next, next.Float() >= least && next.Den < 1<<39
	case 1:
		next = ratio.New(2*l.Num, l.Den)
		return next, next.Float() <= most
	}
	return next, false
}

// AtEdge returns −1 if no λ tried is smaller than number l, 1 if none is larger,
// and 0 if there are both, or no other at all. A λ at which every fold is proved to have the
// model that says the same of all rows is no edge: at a larger one nothing changes.
func (r *Report) AtEdge(l int) int {
	smaller, larger := false, false
	for _, x := range r.Options.Lambdas {
		smaller = smaller || x.Less(r.Options.Lambdas[l])
		larger = larger || r.Options.Lambdas[l].Less(x)
	}
	switch {
	case !smaller && larger:
		return -1
	case smaller && !larger && !r.isEmpty(l):
		return 1
	}
	return 0
}

// isEmpty reports whether the optimal model of every fold at number l has one case.
func (r *Report) isEmpty(l int) bool {
	for _, f := range r.Fits[l] {
		if f == nil || f.Model.Certificate().Status != status.Optimal || len(f.Model.Cases()) > 1 {
			return false
		}
	}
	return true
}
