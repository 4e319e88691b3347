package path

import (
	"math/big"
	"testing"

	"parcorels/family"
	"parcorels/internal/testing/must"
	"parcorels/model"
	"parcorels/ratio"
)

// TestPath: each vertex is what Fit finds inside its interval, for lists and trees and any
// number of workers.
func TestPath(t *testing.T) {
	data := must.Get(family.Read("../../examples/monk3.csv", family.Reading{}))(t)
	for _, o := range []family.Options{{Family: model.RuleList, Workers: 1}, {Family: model.RuleList, Workers: 3},
		{Family: model.Tree, Workers: 2}} {
		p := must.Get(family.NewProblem(t.Context(), data, o))(t)
		path := must.Get(Ask(t.Context(), p, Options{Options: o, Least: ratio.New(1, 40)}))(t)
		if path.Down.Cmp(big.NewRat(1, 40)) != 0 || len(path.Open) > 0 || len(path.Vertices) < 2 {
			t.Fatalf("%s: %d vertices down to %v, open %v", o.Family, len(path.Vertices), path.Down, path.Open)
		}
		for i, v := range path.Vertices {
			high := big.NewRat(1, 1)
			if v.To != nil {
				high = v.To
			}
			middle := new(big.Rat).Add(v.From, high)
			middle.Quo(middle, big.NewRat(2, 1))
			m, err := p.Fit(t.Context(), o.WithPrice(ratio.New(middle.Num().Int64(), middle.Denom().Int64())))
			if err != nil || m.String() != v.Model.String() {
				t.Errorf("%s, vertex %d, λ = %v: error %v,\n%s\nthe path has\n%s", o.Family, i, middle, err, m, v.Model)
			}
		}
	}
	bayes := family.Options{Family: model.BayesianRuleList, MaxCard: 1}
	p := must.Get(family.NewProblem(t.Context(), data, bayes))(t)
	if _, err := Ask(t.Context(), p, Options{Options: bayes, Least: ratio.New(1, 40)}); err == nil {
		t.Error("a path of Bayesian rule lists")
	}
}
