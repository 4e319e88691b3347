package bench

import (
	"strings"
	"testing"
)

// TestBayesCase: a Bayesian list of a made table is proved with and without a bound, and
// lists of folds measure what they should.
func TestBayesCase(t *testing.T) {
	c := Case{Model: Bayesian, Instance: "monk1", Lambda: "3", Workers: 1}
	all, err := Execute(t.Context(), c, "")
	if err != nil {
		t.Fatal(err)
	}
	if all.Status != optimal || all.Posterior == nil || all.Gap != 0 || all.Length == 0 || all.SecondsFirst <= 0 || all.SecondsFirst > all.SecondsSearch {
		t.Errorf("%+v", all)
	}
	c.Without = "pure"
	less, err := Execute(t.Context(), c, "")
	if err != nil {
		t.Fatal(err)
	}
	if less.Objective != all.Objective || less.Expanded <= all.Expanded {
		t.Errorf("%v with %d prefixes, without a bound %v with %d", all.Objective, all.Expanded, less.Objective, less.Expanded)
	}
	c = Case{Model: Bayesian, Instance: "monk1", Folds: 3, Nodes: 1, Workers: 1}
	if all, err = Execute(t.Context(), c, ""); err != nil {
		t.Fatal(err)
	}
	s := summary{Record: &Record{Outcome: all}}
	if s.measure(accuracyMeasure).Value < .9 || s.measure(aucMeasure).Value < .9 || all.LambdaText == "5" || all.LambdaText == "" {
		t.Errorf("λ %s, %+v", all.LambdaText, all.Measures)
	}
	for _, bad := range []Case{{Lambda: "x"}, {Without: "x"}, {Policy: "bfs"}} {
		bad.Model, bad.Instance = Bayesian, "monk1"
		if _, err := Execute(t.Context(), bad, ""); err == nil {
			t.Errorf("%+v: no error", bad)
		}
	}
}

// TestBayesTables: the tables of Bayesian lists have the figures of their records.
func TestBayesTables(t *testing.T) {
	records := some("sbrl", "folds", 1)
	for i := range records {
		records[i].Instance, records[i].LambdaText = "telco", "7"
		records[i].Measures = []Measure{{Name: aucMeasure, Value: .75}, {Name: "CART leaves", Value: 12}, {Name: "logistic regression AUC", Value: .875}}
	}
	if text := Tables(records); !strings.Contains(text, "| .750 ") || !strings.Contains(text, "| 12 ") || !strings.Contains(text, "| .875 ") || !strings.Contains(text, "| 5.24 ") {
		t.Error(text)
	}
	records = some("sbrl", "theorems", 1)
	for i := range records {
		records[i].Variant, records[i].SecondsFirst = "length", .25
	}
	if text := Tables(records); !strings.Contains(text, "| .75 ") || !strings.Contains(text, "| length ") {
		t.Error(text)
	}
}
