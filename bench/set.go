package bench

import (
	"context"

	"parcorels"
	"parcorels/crossval"
	"parcorels/model"
	"parcorels/ratio"
	"parcorels/rules"
	"parcorels/ruleset"
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

// validateSets learns a rule set from the training part of each fold, which chooses the
// parameters if there is no λ.
func (c *Case) validateSets(ctx context.Context, set *rules.Set, o parcorels.Options) (Outcome, error) {
	models := crossval.Models{Options: o}
	family, chosen := &weighed{Family: models}, &tuned{Models: models}
	if c.Lambda == "" {
		family.Family = chosen
	}
	out, err := c.validate(ctx, set, family, o, setMining)
	out.Measures = append(append(out.Measures, meanMeasures(family.folds)...), meanMeasures(chosen.means)...)
	return out, err
}

// setMeasures returns what a rule set measures.
func setMeasures(set *rules.Set, learned model.Model, when [][]int) []Measure {
	m := learned.(*ruleset.Model)
	return []Measure{
		{Name: rulesMeasure, Value: float64(len(m.Rules)), Unit: "rules"},
		{Name: literalsMeasure, Value: float64(m.Metrics().Literals), Unit: "literals"},
		{Name: twiceMeasure, Value: coveredTwice(set, when[:len(m.Rules)]), Unit: "share"},
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
			covered.InPlaceIntersection(set.Antecedents[a].Captured())
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
		w.folds = append(w.folds, setMeasures(set, x.Model, x.When)...)
		return x, nil
	}, err
}
