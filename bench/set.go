package bench

import (
	"context"
	"fmt"
	"time"

	"parcorels/crossval"
	"parcorels/dataset"
	"parcorels/instance"
	"parcorels/ratio"
	"parcorels/report"
	"parcorels/rules"
	"parcorels/ruleset"
	"parcorels/ruleset/search"
)

// Sets is the Model of a case whose answer is a rule set. Its λ is the price of a
// literal, in samples.
const Sets = "set"

// setMining makes literals as the paper does: features and their negations.
var setMining = rules.Options{MaxCard: 1, Negations: true, MinSupport: ratio.New(0, 1)}

// The measures of a rule set. Of a cross-validation they are means over the folds.
const (
	stepsMeasure    = "subproblems"
	provedMeasure   = "proved subproblems"
	rulesMeasure    = "rules"
	literalsMeasure = "literals"
	twiceMeasure    = "covered twice"
)

// setOptions returns the options of a search for a rule set, or an error that names
// what the case has wrong.
func (c *Case) setOptions() (o search.Options, err error) {
	if c.Policy != "" || c.Symmetry != "" || c.Without != "" || c.Separate || c.Depth != 0 || c.Copies > 1 {
		return o, fmt.Errorf("policy, symmetry, prunings, separate points, depth and copies are not for rule sets")
	}
	o.Prices = search.DefaultPrices()
	if c.Lambda == "" && c.Folds == 0 {
		return o, fmt.Errorf("λ is chosen by folds only, and there are none")
	}
	if c.Lambda != "" {
		if o.Prices.Literal, err = ratio.Parse(c.Lambda); err != nil {
			return o, fmt.Errorf("λ: %w", err)
		}
	}
	if c.Beta2 != "" {
		if o.Prices.Beta2, err = ratio.Parse(c.Beta2); err != nil {
			return o, fmt.Errorf("β2: %w", err)
		}
	}
	o.Workers, o.Time = c.Workers, time.Duration(c.Limit*float64(time.Second))
	return o, o.Prices.Validate()
}

// searchSet learns a rule set from all samples, or one from the training part of each
// fold, which chooses the parameters if there is no λ.
func (c *Case) searchSet(ctx context.Context, in Instance, folder string) (out Outcome, err error) {
	o, err := c.setOptions()
	if err != nil {
		return out, err
	}
	in.mining, in.keep, in.reading.KeepColumns = setMining, nil, c.Folds > 0
	return in.timed(ctx, folder, func(set *rules.Set) (Outcome, error) {
		if c.Folds == 0 {
			return c.learnSet(ctx, set, o)
		}
		family, chosen := &weighed{Family: setModels(o)}, &tuned{Models: setModels(o)}
		if c.Lambda == "" {
			family.Family = chosen
		}
		out, err := c.validate(ctx, set, family, o.Prices.Literal, setMining)
		out.Measures = append(append(out.Measures, meanMeasures(family.folds)...), meanMeasures(chosen.means)...)
		return out, err
	})
}

func (c *Case) learnSet(ctx context.Context, set *rules.Set, o search.Options) (out Outcome, err error) {
	pts, err := instance.PointsFromSet(set)
	if err != nil {
		return out, err
	}
	start := time.Now()
	m, r, err := search.Fit(ctx, set, pts, o, Own, dataset.Options{})
	if err != nil {
		return out, fmt.Errorf("%s: %w", c.Instance, err)
	}
	out.SecondsSearch = time.Since(start).Seconds()
	if out.Status = Done; r.Stopped {
		out.Status = timeLimit
	}
	out.Found = found(report.Summarize(m))
	out.Antecedents, out.Points, out.Expanded, out.Searchers = pts.Antecedents, pts.Count, r.Nodes, r.Workers
	when := make([][]int, len(r.Rules))
	for i, rule := range r.Rules {
		when[i] = rule.Literals
	}
	out.Measures = setMeasures(set, m, when)
	return out, nil
}

// setMeasures returns what a rule set measures.
func setMeasures(set *rules.Set, m *ruleset.Model, when [][]int) []Measure {
	return []Measure{
		{Name: rulesMeasure, Value: float64(len(m.Rules)), Unit: "rules"},
		{Name: literalsMeasure, Value: float64(m.Metrics().Literals), Unit: "literals"},
		{Name: twiceMeasure, Value: coveredTwice(set, when), Unit: "share"},
		{Name: stepsMeasure, Value: float64(len(m.Guarantee.Subproblems)), Unit: "steps"},
		{Name: provedMeasure, Value: float64(m.Guarantee.Proved()), Unit: "steps"},
	}
}

// coveredTwice is the share of the samples that more than one rule covers, which is
// the overlap of the paper's table 2.
func coveredTwice(set *rules.Set, when [][]int) float64 {
	once, twice := set.Data.Labels.Clone().ClearAll(), set.Data.Labels.Clone().ClearAll()
	for _, literals := range when {
		covered := once.Clone().ClearAll().FlipRange(0, uint(set.Data.N))
		for _, a := range literals {
			covered.InPlaceIntersection(set.Antecedents[a].Captured)
		}
		twice.InPlaceUnion(once.Intersection(covered))
		once.InPlaceUnion(covered)
	}
	return float64(twice.Count()) / float64(set.Data.N)
}

// weighed is a family that keeps what the rule sets of all folds measure.
type weighed struct {
	crossval.Family
	folds []Measure
}

// Prepare implements crossval.Family. A case has one worker, so that one fold is
// learned at a time.
func (w *weighed) Prepare(set *rules.Set) (crossval.Learner, error) {
	learn, err := w.Family.Prepare(set)
	return func(ctx context.Context, lambda ratio.Ratio, l crossval.Limits) (*crossval.Learned, error) {
		x, err := learn(ctx, lambda, l)
		if err != nil {
			return nil, err
		}
		m := x.Model.(*ruleset.Model)
		w.folds = append(w.folds, setMeasures(set, m, x.When[:len(m.Rules)])...)
		return x, nil
	}, err
}
