// Package fair finds the best rule list that treats two groups alike. Begin with [Ask].
package fair

import (
	"context"
	"math/big"
	"slices"
	"time"

	"parcorels/ask/goodmodels"
	"parcorels/ask/goodmodels/graph"
	"parcorels/family"
	"parcorels/model"
	"parcorels/optionerr"
	"parcorels/ratio"
)

// Options say what to search for, and how.
type Options struct {
	family.Options
	Group  family.Group
	Limits []Limit // one or two
}

// Limit bounds the difference of a rate between two groups.
type Limit struct {
	Measure family.Measure
	Most    ratio.Ratio // from 0 to 1
}

// Answer is the best rule list within limits on the differences between two groups.
type Answer struct {
	*family.Model
	Proved      bool      // no rule list within the limits has a smaller objective
	Bound       float64   // none has one below this
	Differences []float64 // of each limit: the rate of the group less that of the others

	Best            *family.Model // the best list without limits
	BestDifferences []float64
}

// Ask finds the best rule list of which rates of a group of samples and of the others differ by
// at most the limits, one or two. See Fairest of package ask/goodmodels/graph. A proof is written only if
// the list is proved to be the best.
func Ask(ctx context.Context, p *family.Problem, o Options) (*Answer, error) {
	group, limits := o.Group, o.Limits
	switch {
	case p.Kind() != model.RuleList:
		return nil, optionerr.Errorf("Family", "limits on groups are for rule lists, not for a %s", p.Kind())
	case len(limits) < 1 || len(limits) > 2:
		return nil, optionerr.Errorf("Limits", "%d limits, expected one or two", len(limits))
	}
	start := time.Now()
	if p.Set.Data.ClassCount() != 2 {
		return nil, family.ErrRates(p.Set.Data.ClassCount())
	}
	free := o.Options
	free.Time /= 2 // the rest is for the search within the limits
	r, err := goodmodels.NewFrame(ctx, p, free, true, group.Name)
	if err != nil {
		return nil, err
	}
	inside := make([]graph.Limit, len(limits))
	scales := make([]int64, len(limits))
	for i, l := range limits {
		value, scale, err := family.Difference(p.Set, r.Points.Count, group.Inside, l.Measure)
		if err != nil {
			return nil, err
		}
		if l.Most.Den <= 0 || l.Most.Num < 0 || l.Most.Num > l.Most.Den {
			return nil, optionerr.Errorf("Limits", "a limit of %v on a difference: expected a number from 0 to 1", l.Most)
		}
		most := new(big.Int).Mul(big.NewInt(scale), big.NewInt(l.Most.Num))
		inside[i] = graph.Limit{
			Value: value, Most: most.Quo(most, big.NewInt(l.Most.Den)).Int64(),
			Told: []int64{int64(slices.Index(family.Measures, l.Measure)), l.Most.Num, l.Most.Den},
		}
		scales[i] = scale
	}
	r.Limits.Time = 0
	if o.Time > 0 {
		r.Limits.Time = max(o.Time-time.Since(start), 1)
	}
	c := r.Best.Certificate()
	least := new(big.Rat).Mul(big.NewRat(c.Bound.Num, c.Bound.Den), new(big.Rat).SetInt64(r.Scale))
	bound := new(big.Int).Quo(least.Num(), least.Denom()).Int64()
	var known []graph.Rule
	when := r.Best.Antecedents()
	for i, k := range r.Best.Cases()[:c.Size] {
		known = append(known, graph.Rule{Antecedent: when[i][0], Label: k.Class})
	}
	found, err := graph.Fairest(ctx, r.Input, inside, r.Limits, known, bound)
	if err != nil {
		return nil, err
	}
	f := &Answer{Best: r.Best, Proved: found.Optimal(), Bound: r.Objective(found.Bound)}
	if f.Model, err = r.ModelOf(found.List.Model(), bound); err != nil {
		return nil, err
	}
	for i, l := range inside {
		f.Differences = append(f.Differences, difference(r, f.Model, l.Value, scales[i]))
		f.BestDifferences = append(f.BestDifferences, difference(r, r.Best, l.Value, scales[i]))
	}
	return f, nil
}

// difference returns the difference of a rate between the groups for a model.
func difference(f *goodmodels.Frame, m *family.Model, value []int64, scale int64) float64 {
	sum := int64(0)
	for p, v := range value {
		sum += v * int64(f.PredictsAt(m, p))
	}
	return float64(sum) / float64(scale)
}
