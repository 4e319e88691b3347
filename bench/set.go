package bench

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

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

// setTable is tables 5 and 6 of the paper: values, bounds and seconds.
func setTable(list []*summary) *table {
	t := newTable("data", "literals in all", "λ", "β2", "value", "bound", "value/bound", "steps proved", "rules", "literals", "covered twice", "seconds", "runs",
		"paper: V local", "V exact", "seconds")
	for _, s := range ownOf(list) {
		paper := setPaper[strings.TrimSuffix(s.Instance, "-labels")]
		bound := s.Objective
		if s.UpperBound != nil {
			bound = *s.UpperBound
		}
		t.add(s.Instance, strconv.Itoa(s.Antecedents), shortLambda(s.Lambda), shortLambda(s.Beta2), decimals(s.Objective, 2), decimals(bound, 2),
			decimals(s.Objective/bound, 2), s.steps(), strconv.Itoa(s.Length), decimals(s.measure(literalsMeasure).Value, 0),
			share(s.measure(twiceMeasure).Value), s.time(), strconv.Itoa(len(s.runs)), paper.local, paper.exact, paper.seconds)
	}
	return t
}

func (s *summary) steps() string {
	return fmt.Sprintf("%s of %s", decimals(s.measure(provedMeasure).Value, 0), decimals(s.measure(stepsMeasure).Value, 0))
}

// setFoldsTable is tables 1 and 2 of the paper: accuracy, rules, literals and overlap.
func setFoldsTable(list []*summary) *table {
	t := newTable("data", "λ", "accuracy", "paper", "CART", "CART of the paper", "rules", "paper", "literals", "paper", "covered twice", "paper", "steps proved", "seconds a fold")
	for _, s := range ownOf(list) {
		p := setPaper[strings.TrimSuffix(s.Instance, "-labels")]
		proved := s.measure(provedMeasure).Value / s.measure(stepsMeasure).Value
		t.add(s.Instance, cmp.Or(shortLambda(s.Lambda), "chosen"), s.spread(accuracyMeasure), p.accuracy, s.spread("CART "+accuracyMeasure), p.cart,
			decimals(s.measure(rulesMeasure).Value, 1), p.rules, decimals(s.measure(literalsMeasure).Value, 1), p.literals,
			share(s.measure(twiceMeasure).Value), p.overlap, share(proved), figure(s.seconds()))
	}
	return t
}

func decimals(x float64, n int) string { return shortLambda(strconv.FormatFloat(x, 'f', n, 64)) }

// setFigures are what the paper says of a data set.
type setFigures struct{ accuracy, cart, rules, literals, overlap, seconds, local, exact string }

// setPaper are the figures of the paper's tables 1, 2, 5 and 6. Its β2, λ and K are
// those that a cross-validation chose; it does not tell them.
var setPaper = map[string]setFigures{
	"tic-tac-toe-table": {"100.00%", "94.20%", "8", "24", "2.3%", ".794", "433.78", "433.78"},
	"pima":              {"75.40%", "75.40%", "3.2", "10", "2.6%", "1.58", "74.84", "76"},
	"mushroom":          {"100.00%", "100.00%", "3.9", "8.4", "0%", "1.64", "3,908", "3,908"},
	"compas-binary":     {"67.00%", "67.30%", "11.4", "42.2", ".1%", "3.38", "871", "875"},
	"fico":              {"71.20%", "71.90%", "21.6", "134", ".3%", "7.71", "1,977", "1,919"},
	"heloc":             {"70.40%", "70.90%", "16", "118.6", "3.5%", "33.9", "1,936.3", "1,927"},
	"adult":             {"84.40%", "83.70%", "9.1", "83.4", ".8%", "16", "3,690", "3,665.1"},
}
