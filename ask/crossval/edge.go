package crossval

import "parcorels/internal/status"

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
