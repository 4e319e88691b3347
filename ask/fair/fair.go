// Package fair finds the best rule list within limits: on differences between two groups, or on an operating point. It also
// finds good trees within an operating point, with a bound. Begin with [Ask].
package fair

import (
	"context"
	"errors"
	"slices"
	"time"

	"parcorels/ask/goodmodels"
	"parcorels/ask/goodmodels/graph"
	"parcorels/family"
	"parcorels/internal/status"
	"parcorels/model"
	"parcorels/model/evaluate"
	"parcorels/optionerr"
	"parcorels/ratio"
	"parcorels/rulelist"
	"parcorels/rules/rates"
)

// Options say what to search for, and how.
type Options struct {
	family.Options
	Group  rates.Group
	Limits []Limit // one or two
}

// Limit bounds a measure, from 0 to 1: at most, but Recall and Precision at least.
type Limit struct {
	Measure rates.Measure
	Most    ratio.Ratio
}

// Answer is the best rule list within the limits.
type Answer struct {
	*family.Model
	Proved  bool            // no rule list within the limits has a smaller objective
	Weighed bool            // by weights of the classes alone, which may prove no more
	Bound   float64         // none has one below this
	Rates   []evaluate.Rate // of each limit: the measure; of groups, the rate of the group less that of the others

	Best      *family.Model // the best list without limits
	BestRates []evaluate.Rate
}

// Ask finds the best rule list of which rates of a group of samples and of the others differ by
// at most the limits, one or two. See Fairest of package ask/goodmodels/graph. A proof is written only if
// the list is proved to be the best.
func Ask(ctx context.Context, p *family.Problem, o Options) (*Answer, error) {
	group, limits := o.Group, o.Limits
	// no graph proves it: the best that is found, with a bound
	bounded := p.Kind() == model.Tree || o.MinRows > 1 || len(o.Increasing)+len(o.Decreasing) > 0
	point := !slices.ContainsFunc(limits, func(l Limit) bool { return l.Measure.OfGroups() })
	switch {
	case p.Kind() != model.RuleList && p.Kind() != model.Tree:
		return nil, optionerr.Errorf("Family", "limits are for rule lists and trees, not for a %s", p.Kind())
	case p.EveryThreshold():
		return nil, optionerr.Errorf("Cuts", "option Cuts all does not go with limits: leave it out, and numbers are cut")
	case p.Kind() == model.Tree && !point:
		return nil, optionerr.Errorf("Limits", "a tree may have limits of an operating point alone")
	case bounded && o.Proof != nil:
		return nil, optionerr.Errorf("Proof", "option Proof does not go with limits on trees, nor with least rows and directions: leave "+
			"it out, the bound is told")
	case len(limits) < 1 || len(limits) > 2:
		return nil, optionerr.Errorf("Limits", "%d limits, expected one or two", len(limits))
	}
	start := time.Now()
	if p.Set.Data.ClassCount() != 2 {
		return nil, rates.ErrRates(p.Set.Data.ClassCount())
	}
	free := o.Options
	free.Time /= 2 // the rest is for the search within the limits
	asked := "limits such as option Recall"
	if limits[0].Measure.OfGroups() {
		asked = "limits such as option Parity"
	}
	r, err := goodmodels.NewFrame(ctx, p, free, true, point, asked, group.Name)
	if err != nil {
		return nil, err
	}
	inside := make([]graph.Limit, len(limits))
	sums, points := make([]rates.Sum, len(limits)), p.Set.PointOf()
	for i, l := range limits {
		if sums[i], err = l.Measure.Within(p.Set, group.Inside, l.Most); err != nil {
			return nil, err
		}
		sums[i].Value = rates.ByGroup(points, r.Points.Count, sums[i].Value)
		inside[i] = graph.Limit{Value: sums[i].Value, Least: sums[i].Least, Most: sums[i].Most,
			Told: []int64{int64(slices.Index(rates.Limited, l.Measure)), l.Most.Num, l.Most.Den}}
	}
	left := func() time.Duration { return max(o.Time-time.Since(start), min(o.Time, 1)) } // 0 without a limit
	c := r.Best.Certificate()
	bound := ratio.Floor(ratio.Product(c.Bound.Rat(), ratio.Int(r.Scale))).Int64()
	w := &weighing{p: p, o: o.Options, r: r, limits: inside, found: []*family.Model{r.Best}}
	each := left() / time.Duration(2*len(limits))
	for k := 0; k < len(limits) && point; k++ {
		if w.sum, w.limit = &sums[k], &inside[k]; o.Time > 0 {
			w.end = time.Now().Add(each)
		}
		if err = w.search(ctx); err != nil {
			return nil, err
		}
	}
	bound, r.Limits.Time = max(bound, w.bound), left()
	f := &Answer{Best: r.Best, Bound: r.Objective(bound), Weighed: bounded}
	var best graph.Model
	if bounded {
		best, err = w.bestFound()
		f.Proved = best.Objective <= bound
	} else {
		var known []graph.Model
		for _, m := range w.found {
			known = append(known, graph.Model{Preorder: preorder(m.Antecedents(), m.Cases())})
		}
		var found *graph.Fair
		if found, err = graph.Fairest(ctx, r.Input, inside, r.Limits, known, bound); err == nil {
			best, f.Proved, f.Bound = found.Model, found.Optimal(), r.Objective(found.Bound)
		}
	}
	if errors.Is(err, graph.ErrOutside) {
		err = optionerr.Errorf("Limits", "no %s was found that is within the limits: ask for less", p.Kind())
	}
	if err == nil {
		f.Model, err = r.ModelOf(best, bound)
	}
	if err != nil {
		return nil, err
	}
	f.Search.Proved = f.Proved
	for i, l := range limits {
		f.Rates = append(f.Rates, rate(r, f.Model, l.Measure, &sums[i]))
		f.BestRates = append(f.BestRates, rate(r, r.Best, l.Measure, &sums[i]))
	}
	return f, nil
}

// added is the sum of the values of the points that a model predicts to be of class 1.
func added(f *goodmodels.Frame, m *family.Model, value []int64) (sum int64) {
	for p, v := range value {
		sum += v * int64(f.PredictsAt(m, p))
	}
	return sum
}

// rate returns the measure of a model.
func rate(f *goodmodels.Frame, m *family.Model, measure rates.Measure, s *rates.Sum) evaluate.Rate {
	if measure.OfGroups() {
		return evaluate.Rate(float64(added(f, m, s.Value)) / float64(s.Scale))
	}
	all, wrong := model.Totals(m.Cases())
	ones, found, alarms := evaluate.Rate(all.Weights[1]), evaluate.Rate(all.Weights[1]-wrong.Weights[1]), evaluate.Rate(wrong.Weights[0])
	switch measure {
	case rates.Recall:
		return found / ones
	case rates.Precision:
		return found / (alarms + found)
	}
	return (alarms + found) / (evaluate.Rate(all.Weights[0]) + ones)
}

// Folds returns what learns the best rule lists within limits on an operating point in a cross-validation. The model is optimal where
// it is proved to be so among the lists within the limits.
func Folds(limits []Limit) func(context.Context, *family.Problem, family.Options) (*family.Model, error) {
	return func(ctx context.Context, p *family.Problem, o family.Options) (*family.Model, error) {
		a, err := Ask(ctx, p, Options{Options: o, Limits: limits})
		if err != nil {
			return nil, err
		}
		if list, is := a.Model.Model.(*rulelist.Model); is && a.Proved {
			list.Status = status.Optimal
		}
		return a.Model, nil
	}
}
