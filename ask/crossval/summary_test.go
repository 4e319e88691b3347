package crossval

import (
	"fmt"
	"math"
	"testing"

	"parcorels/model"
	"parcorels/model/evaluate"
	"parcorels/ratio"
	"parcorels/rulelist"
	"parcorels/rules"

	"github.com/bits-and-blooms/bitset"
)

func near(a, b float64) bool { return math.Abs(a-b) < 1e-12 }

// TestJudge: rules in their order, negations, weights.
func TestJudge(t *testing.T) {
	d := table{
		features: [][]bool{{true, true}, {true, false}, {false, true}, {false, false}, {false, true}},
		labels:   []bool{true, false, true, true, false},
	}.data(t)
	some := model.Counts{Samples: []int64{1, 1}}
	cases := []model.Case{{Class: 0, Counts: some}, {Class: 0, Counts: some}, {Class: 1, Counts: some}}
	j := judge{data: d, cases: cases, when: [][]rules.Literal{
		{{Feature: 0}, {Feature: 1, Negated: true}}, // sample 1
		{{Feature: 1}}, // samples 0, 2, 4
		nil,
	}}
	of := func(rows *bitset.BitSet) confusion { return j.evaluation(rows, true).Measures().Confusion }
	if got, want := of(everything(5)), (confusion{{2, 0}, {2, 1}}); !same(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got, want := of(rows(5, 0, 3)), (confusion{{0, 0}, {1, 1}}); !same(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	d.Weights = []int64{1, 10, 100, 1000, 10000}
	if got, want := of(everything(5)), (confusion{{10010, 0}, {101, 1000}}); !same(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestEstimate(t *testing.T) {
	fits := make([]*Fit, 4)
	for i, length := range []int{2, 4, 4, 6} {
		fits[i] = &Fit{Fold: length}
	}
	length := func(f *Fit) float64 { return float64(f.Fold) }
	e := estimate(fits, length)
	if !near(float64(e.Mean), 4) || !near(e.Deviation, math.Sqrt(8./3)) || !near(e.Error, math.Sqrt(2./3)) {
		t.Errorf("%+v, standard error %v", e, e.Error)
	}
	if e := estimate(fits[:1], length); e.Mean != 2 || e.Deviation != 0 {
		t.Errorf("of one value: %+v", e)
	}
	some := func(f *Fit) float64 {
		if f.Fold == 2 {
			return math.NaN()
		}
		return float64(f.Fold)
	}
	if e := estimate(fits, some); !near(float64(e.Mean), 14./3) || e.Values != 3 || !math.IsNaN(float64(estimate(fits[:1], some).Mean)) {
		t.Errorf("where one value is undefined: %+v", e)
	}
	if e := estimate(nil, length); e.Mean != 0 || e.Deviation != 0 || e.Error != 0 {
		t.Errorf("of no value: %+v", e)
	}
}

// made returns a report in which the fits of each λ have the given errors among
// 100 test samples, 50 of each class.
func made(errors map[ratio.Ratio][]float64) *Report {
	r := &Report{}
	for lambda, each := range errors {
		r.Options.Lambdas = append(r.Options.Lambdas, lambda)
		var fits []*Fit
		for f, n := range each {
			fits = append(fits, &Fit{
				Fold: f, Lambda: lambda, Test: evaluate.Measures{Confusion: confusion{{50 - n, n}, {0, 50}}}, Model: listOf(0),
			})
		}
		r.Fits = append(r.Fits, fits)
	}
	return r
}

func TestPick(t *testing.T) {
	large, middle, small := ratio.New(1, 10), ratio.New(1, 50), ratio.New(1, 100)
	for _, c := range []struct {
		name      string
		errors    map[ratio.Ratio][]float64
		best, one ratio.Ratio
	}{
		// The smallest mean, 11, has standard deviation 2.31 and standard error 1.15.
		{"within", map[ratio.Ratio][]float64{small: {9, 13, 9, 13}, middle: {12, 12, 12, 11}, large: {13, 13, 12, 12}}, small, middle},
		{"none within", map[ratio.Ratio][]float64{small: {9, 13, 9, 13}, large: {13, 13, 12, 12}}, small, small},
		{"tie", map[ratio.Ratio][]float64{small: {9, 9}, middle: {9, 9}, large: {10, 10}}, middle, middle},
		// A model that is as good but smaller is not picked.
		{"smaller", map[ratio.Ratio][]float64{small: {12, 12}, middle: {9, 13}, large: {20, 20}}, middle, middle},
	} {
		r := made(c.errors)
		for rule, want := range map[Pick]ratio.Ratio{Best: c.best, OneStandardError: c.one} {
			if l, ok := r.Pick(rule); !ok || r.Options.Lambdas[l] != want {
				t.Errorf("%s, %s: λ = %v, %v; want %v", c.name, rule, r.Options.Lambdas[l], ok, want)
			}
		}
	}
}

// listOf returns a rule list that asks for some features and predicts 1, with a
// default behind them.
func listOf(otherwise int, features ...int) *rulelist.Model {
	m := &rulelist.Model{Frame: model.Frame{Classes: []string{"no", "yes"}},
		Default: rulelist.Line{Class: otherwise, Counts: model.Counts{Samples: []int64{0, 0}}}}
	for _, x := range features {
		m.Rules = append(m.Rules, rulelist.Line{Antecedent: fmt.Sprint("x", x), Class: 1, Counts: model.Counts{Samples: []int64{0, 0}}})
	}
	return m
}

// TestFound: models are one if their cases are, in order; those of most folds
// come first.
func TestFound(t *testing.T) {
	a, b, c, d := listOf(0, 1, 2), listOf(0, 2, 1), listOf(0, 1), listOf(1, 1, 2)
	var fits []*Fit
	for f, l := range []*rulelist.Model{a, b, b, c, d, b, a} {
		fits = append(fits, &Fit{Fold: f, Model: l})
	}
	var got []string
	for _, f := range found(fits) {
		got = append(got, fmt.Sprint(f.Folds))
	}
	if fmt.Sprint(got) != "[[2 3 6] [1 7] [4] [5]]" {
		t.Errorf("folds by model: %v", got)
	}
}
