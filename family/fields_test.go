package family_test

import (
	"context"
	"errors"
	"math"
	"parcorels/family"
	"testing"

	"parcorels/ask/crossval"
	bayessearch "parcorels/bayes/search"
	"parcorels/instance"
	"parcorels/internal/status"
	"parcorels/internal/testing/must"
	"parcorels/model"
	"parcorels/optionerr"
	"parcorels/ratio"
	listsearch "parcorels/rulelist/search"
	"parcorels/rules"
	setsearch "parcorels/ruleset/search"
	treesearch "parcorels/tree/search"
)

// refused asks that err is a *optionerr.Error about the field.
func refused(t *testing.T, call, name string, err error) {
	t.Helper()
	var bad *optionerr.Error
	if !errors.As(err, &bad) || bad.Field != name {
		t.Errorf("%s with a bad %s: %v", call, name, err)
	}
}

// TestReadRefuses goes through the options of Read that are wrong by themselves or for
// the table.
func TestReadRefuses(t *testing.T) {
	for _, c := range []struct {
		name string
		o    family.Reading
	}{
		{"Comma", family.Reading{Comma: '"'}}, {"Target", family.Reading{Target: "none"}}, {"Positive", family.Reading{Positive: "7"}},
		{"Ignore", family.Reading{Ignore: []string{"none"}}}, {"Labels", family.Reading{Labels: "x.label"}},
		{"Bins", family.Reading{Bins: 1}}, {"Cuts",
			family.Reading{Cuts: map[string][]float64{"none": {1}}}},
		{"Chosen", family.Reading{Chosen: map[string][]float64{"a": {2, 1}}}}, {"Weight", family.Reading{Weight: "none"}},
		{"ClassWeights", family.Reading{ClassWeights: "1"}}, {"Memory", family.Reading{Memory: -1}}, {"Memory", family.Reading{Memory: 1}},
	} {
		_, err := family.Read("../examples/monk1.csv", c.o)
		refused(t, "Read", c.name, err)
	}
}

// TestFitRefuses: what is wrong for one family is said in its words.
func TestFitRefuses(t *testing.T) {
	data := must.Get(family.Read("../examples/monk1.csv", family.Reading{}))(t)
	for kind, text := range map[model.Family]string{
		model.RuleList: "option Lambda is 0: rules may cost nothing only where option MaxRules limits them",
		model.RuleSet:  "option Lambda is 0: expected a number above 0, as a literal of a rule set has a price",
		model.Tree:     "option Lambda is 0: leaves may cost nothing only where option Depth limits them",
	} {
		_, err := family.Fit(context.Background(), data, family.Options{Family: kind, Lambda: "0"})
		if refused(t, "Fit", "Lambda", err); err.Error() != text {
			t.Errorf("%v, want %s", err, text)
		}
	}
	for name, o := range map[string]family.Options{
		"Lambda": {Lambda: "none"}, "Family": {Family: "forest"}, "MaxCard": {MaxCard: -1}, "MinSupport": {MinSupport: "0.6"},
		"Depth": {Depth: 3}, "Rules": {Rules: 2}, "Workers": {Workers: -1}, "Time": {Time: -1}, "Memory": {Memory: -1},
	} {
		_, err := family.Fit(context.Background(), data, o)
		refused(t, "Fit", name, err)
	}
	_, err := family.Table([]string{"a", "b"}, [][]string{{"1"}}, family.Reading{})
	refused(t, "Table", "Rows", err)
	for _, none := range []*family.Data{nil, {}} {
		_, err := family.Fit(context.Background(), none, family.Options{})
		refused(t, "Fit", "Data", err)
	}
}

// TestSearchesRefuse: no search starts, and none claims anything, with an option out of
// range.
func TestSearchesRefuse(t *testing.T) {
	data := must.Get(family.Read("../examples/monk1.csv", family.Reading{}))(t)
	ctx, l := context.Background(), ratio.New(1, 100)
	set := must.Get(rules.Mine(ctx, data.Dataset, rules.Options{MaxCard: 1}))(t)
	in := must.Get(instance.FromSet(set))(t)
	points := must.Get(instance.PointsFromSet(set))(t)
	for name, o := range map[string]listsearch.Options{
		"Lambda": {}, "MaxRules": {Lambda: l, MaxRules: -1}, "Workers": {Lambda: l, Workers: 4097}, "Policy": {Lambda: l, Policy: 5},
		"Symmetry": {Lambda: l, Symmetry: -1},
		"Without":  {Lambda: l, Without: 1 << 20}, "Time": {Lambda: l, Time: -1}, "Nodes": {Lambda: l, Nodes: -1},
		"Memory": {Lambda: l, Memory: -1}, "Proof": {Lambda: l, Proof: &listsearch.Proof{}},
	} {
		r, err := listsearch.Solve(ctx, in, o)
		if refused(t, "rulelist/search.Solve", name, err); r.Status != status.Unknown {
			t.Errorf("status %v beside %v", r.Status, err)
		}
	}
	for name, o := range map[string]treesearch.Options{
		"Lambda": {Lambda: ratio.New(-1, 100)}, "Depth": {Lambda: l, Depth: -1}, "Workers": {Lambda: l, Workers: 4097},
		"Time": {Lambda: l, Time: -1}, "Nodes": {Lambda: l, Nodes: -1}, "Memory": {Lambda: l, Memory: -1},
		"Proof": {Lambda: l, Proof: &treesearch.Proof{}},
	} {
		_, err := treesearch.Solve(ctx, points, o)
		refused(t, "tree/search.Solve", name, err)
	}
	prices := setsearch.DefaultPrices()
	for name, o := range map[string]setsearch.Options{
		"Beta0": {}, "Rules": {Prices: prices, Rules: -1},
		"Workers": {Prices: prices, Workers: 4097}, "Time": {Prices: prices, Time: -1},
	} {
		_, err := setsearch.Solve(ctx, points, o)
		refused(t, "ruleset/search.Solve", name, err)
	}
	prior := bayessearch.Prior{Length: ratio.New(10, 1), Width: ratio.New(1, 1), Alpha1: ratio.New(1, 1), Alpha0: ratio.New(1, 1)}
	for name, o := range map[string]bayessearch.Options{
		"Length": {}, "MaxRules": {Prior: prior, MaxRules: -1}, "Chains": {Prior: prior, Chains: -1},
		"Iterations": {Prior: prior, Iterations: -1}, "Workers": {Prior: prior, Workers: 4097},
		"Time": {Prior: prior, Time: -1}, "Nodes": {Prior: prior, Nodes: -1}, "Memory": {Prior: prior, Memory: -1},
		"Proof": {Prior: prior, Proof: &bayessearch.Proof{}},
	} {
		_, err := bayessearch.Solve(ctx, points, bayessearch.Cardinalities(set), o)
		refused(t, "bayes/search.Solve", name, err)
	}
}

// TestCrossValidationRefuses: options are judged alike for all families.
func TestCrossValidationRefuses(t *testing.T) {
	data := must.Get(family.Read("../examples/monk1.csv", family.Reading{}))(t)
	l := []ratio.Ratio{ratio.New(1, 100)}
	for family, f := range map[string]family.Options{
		"lists": {}, "trees": {Family: model.Tree}, "sets": {Family: model.RuleSet}, "bayes": {Family: model.BayesianRuleList},
	} {
		for _, c := range []struct {
			name string
			o    crossval.Options
		}{
			{"Lambdas", crossval.Options{}}, {"Folds", crossval.Options{Lambdas: l, Folds: -1}},
			{"Folds", crossval.Options{Lambdas: l, Folds: 433}},
			{"Groups", crossval.Options{Lambdas: l, Groups: []int{1}}}, {"Folds", crossval.Options{Lambdas: l, Groups: make([]int, 432)}},
			{"Holdout", crossval.Options{Lambdas: l, Holdout: 1}}, {"Holdout", crossval.Options{Lambdas: l, Holdout: math.NaN()}},
			{"MaxCard", crossval.Options{Lambdas: l,
				Mining: rules.Options{MaxCard: -1}}},
			{"Workers", crossval.Options{Lambdas: l, Limits: crossval.Limits{Workers: -1}}},
			{"Memory", crossval.Options{Lambdas: l, Limits: crossval.Limits{Memory: -1}}},
			{"Time", crossval.Options{Lambdas: l, Limits: crossval.Limits{Time: -1}}},
			{"Nodes", crossval.Options{Lambdas: l, Limits: crossval.Limits{Nodes: -1}}},
		} {
			c.o.Family = crossval.Models{Options: f}
			_, err := crossval.Run(context.Background(), data.Dataset, c.o)
			refused(t, "crossval.Run of "+family, c.name, err)
		}
	}
}
