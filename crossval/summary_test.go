package crossval

import (
	"fmt"
	"math"
	"testing"

	"parcorels/ratio"
	"parcorels/rulelist/search"
	"parcorels/rules"
)

func near(a, b float64) bool { return math.Abs(a-b) < 1e-12 }

// TestConfusion: 10 samples of class 1, of which 7 are found, and 40 of class
// 0, of which 4 are taken for class 1.
func TestConfusion(t *testing.T) {
	c := Confusion{{36, 4}, {3, 7}}
	for name, x := range map[string][2]float64{
		"accuracy": {c.Accuracy(), 0.86}, "TPR": {c.TPR(), 0.7}, "FPR": {c.FPR(), 0.1},
		"balanced error": {c.BalancedError(), 0.2}, "errors": {float64(c.Errors()), 7}, "total": {float64(c.Total()), 50},
	} {
		if !near(x[0], x[1]) {
			t.Errorf("%s is %v, want %v", name, x[0], x[1])
		}
	}
}

// TestEvaluate: rules in their order, negations, weights.
func TestEvaluate(t *testing.T) {
	d := table{
		features: [][]bool{{true, true}, {true, false}, {false, true}, {false, false}, {false, true}},
		labels:   []bool{true, false, true, true, false},
	}.data(t)
	list := List{Default: 1, Rules: []Rule{
		{"x0 and not x1", []string{"x0", "not x1"}, []rules.Literal{{Feature: 0}, {Feature: 1, Negated: true}}, 0}, // sample 1
		{"x1", []string{"x1"}, []rules.Literal{{Feature: 1}}, 0},                                                   // samples 0, 2, 4
	}}
	if got, want := list.Evaluate(d, everything(5)), (Confusion{{2, 0}, {2, 1}}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
	if got, want := list.Evaluate(d, rows(5, 0, 3)), (Confusion{{0, 0}, {1, 1}}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
	d.Weights = []int64{1, 10, 100, 1000, 10000}
	if got, want := list.Evaluate(d, everything(5)), (Confusion{{10010, 0}, {101, 1000}}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestEstimate(t *testing.T) {
	fits := make([]*Fit, 4)
	for i, length := range []int{2, 4, 4, 6} {
		fits[i] = &Fit{List: List{Rules: make([]Rule, length)}}
	}
	length := func(f *Fit) float64 { return float64(len(f.List.Rules)) }
	e := estimate(fits, length)
	if !near(e.Mean, 4) || !near(e.Deviation, math.Sqrt(8./3)) || !near(e.StandardError(), math.Sqrt(2./3)) {
		t.Errorf("%+v, standard error %v", e, e.StandardError())
	}
	if e := estimate(fits[:1], length); e.Mean != 2 || e.Deviation != 0 {
		t.Errorf("of one value: %+v", e)
	}
	if e := estimate(nil, length); e.Mean != 0 || e.Deviation != 0 || e.StandardError() != 0 {
		t.Errorf("of no value: %+v", e)
	}
}

// made returns a report in which the fits of each λ have the given errors among
// 100 test samples, 50 of each class.
func made(balance Balance, errors map[ratio.Ratio][]int64) *Report {
	r := &Report{Options: Options{Balance: balance}}
	for lambda, each := range errors {
		r.Options.Lambdas = append(r.Options.Lambdas, lambda)
		var fits []*Fit
		for f, n := range each {
			fits = append(fits, &Fit{
				Fold: f, Lambda: lambda, Test: Confusion{{50 - n, n}, {0, 50}}, Result: search.Result{Scale: 1},
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
		errors    map[ratio.Ratio][]int64
		best, one ratio.Ratio
	}{
		// The smallest mean, 11, has standard deviation 2.31 and standard error 1.15.
		{"within", map[ratio.Ratio][]int64{small: {9, 13, 9, 13}, middle: {12, 12, 12, 11}, large: {13, 13, 12, 12}}, small, middle},
		{"none within", map[ratio.Ratio][]int64{small: {9, 13, 9, 13}, large: {13, 13, 12, 12}}, small, small},
		{"tie", map[ratio.Ratio][]int64{small: {9, 9}, middle: {9, 9}, large: {10, 10}}, middle, middle},
		// What is as good but smaller is not picked.
		{"smaller", map[ratio.Ratio][]int64{small: {12, 12}, middle: {9, 13}, large: {20, 20}}, middle, middle},
	} {
		for _, balance := range []Balance{Unbalanced, Weights} {
			r := made(balance, c.errors)
			for rule, want := range map[Pick]ratio.Ratio{Best: c.best, OneStandardError: c.one} {
				if l, ok := r.Pick(rule); !ok || r.Options.Lambdas[l] != want {
					t.Errorf("%s, %s: λ = %v, %v; want %v", c.name, rule, r.Options.Lambdas[l], ok, want)
				}
			}
		}
	}
}

// TestPickBalanced: where training was balanced, so is the error compared. The
// first λ has fewer errors, but all of them in the small class.
func TestPickBalanced(t *testing.T) {
	for balance, want := range map[Balance]int{Unbalanced: 0, Weights: 1, Resample: 1} {
		r := &Report{Options: Options{Balance: balance, Lambdas: []ratio.Ratio{ratio.New(1, 10), ratio.New(1, 50)}}}
		for _, c := range []Confusion{{{90, 0}, {10, 0}}, {{72, 18}, {2, 8}}} {
			r.Fits = append(r.Fits, []*Fit{{Test: c, Result: search.Result{Scale: 1}}})
		}
		if l, ok := r.Pick(Best); !ok || l != want {
			t.Errorf("balance %q picks %d, want %d", balance, l, want)
		}
	}
}

// TestFound: lists are one if their rules are, in order; those of most folds
// come first.
func TestFound(t *testing.T) {
	rule := func(feature, class int) Rule { return Rule{Names: []string{fmt.Sprint("x", feature)}, Class: class} }
	a := List{Rules: []Rule{rule(1, 1), rule(2, 1)}}
	b := List{Rules: []Rule{rule(2, 1), rule(1, 1)}}
	c := List{Rules: []Rule{rule(1, 1), rule(2, 0)}}
	d := List{Rules: []Rule{rule(1, 1), rule(2, 1)}, Default: 1}
	var fits []*Fit
	for f, l := range []List{a, b, b, c, d, b, a} {
		fits = append(fits, &Fit{Fold: f, List: l})
	}
	var got []string
	for _, f := range found(fits) {
		got = append(got, fmt.Sprint(f.Folds))
	}
	if fmt.Sprint(got) != "[[1 2 5] [0 6] [3] [4]]" {
		t.Errorf("folds by list: %v", got)
	}
}
