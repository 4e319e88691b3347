package bench

import (
	"os/exec"
	"strings"
	"testing"

	"parcorels/crossval"
	"parcorels/dataset"
	"parcorels/internal/cases"
	"parcorels/rules"
)

// TestSetCase: a rule set for a made table, and ten cross-validated, which measure what
// they should.
func TestSetCase(t *testing.T) {
	for _, bad := range []Case{{Lambda: "x"}, {Lambda: "-1"}, {Lambda: "1", Beta2: "x"}, {Lambda: "1", Without: "support"}} {
		bad.Model, bad.Instance = Sets, "monk1"
		if _, err := Execute(t.Context(), bad, "", nil); err == nil {
			t.Errorf("%+v: no error", bad)
		}
	}
	c := Case{Model: Sets, Instance: "monk1", Lambda: "1", Beta2: "0.1", Workers: 1}
	out, err := Execute(t.Context(), c, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	if out.Status != Done || out.Measures[setSteps] != 16 || out.Measures[provedSteps] != 16 || out.Wrong != 0 || out.UpperBound == nil || *out.UpperBound < out.Objective {
		t.Errorf("%+v", out)
	}
	c.Folds = 3
	if out, err = Execute(t.Context(), c, "", nil); err != nil {
		t.Fatal(err)
	}
	if m := out.Measures; m[accuracy] != 1 || m[length] < 4 || m["covered twice"] <= 0 {
		t.Errorf("%+v", out.Measures)
	}
	if !cases.All() {
		return
	}
	c.Lambda = ""
	if out, err = Execute(t.Context(), c, "", nil); err != nil {
		t.Fatal(err)
	}
	if m := out.Measures; m[accuracy] != 1 || m[length] < 4 || m["λ chosen"] <= 1 || m["K chosen"] != 8 {
		t.Errorf("with parameters chosen: %+v", out.Measures)
	}
}

// TestCoveredTwice counts by hand.
func TestCoveredTwice(t *testing.T) {
	d, err := dataset.ReadFrom(strings.NewReader("a,b,c,class\n1,1,0,1\n1,0,0,1\n1,1,1,0\n0,1,1,0\n"), "x.csv", dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	set, err := rules.Mine(t.Context(), d, rules.Options{MaxCard: 1})
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]int{}
	for i, a := range set.Antecedents {
		at[a.Name] = i
	}
	a, b, c := at["a"], at["b"], at["c"]
	for _, x := range []struct {
		when [][]int
		want float64
	}{{nil, 0}, {[][]int{{a}}, 0}, {[][]int{{a}, {b}}, .5}, {[][]int{{a}, {b}, {b, c}}, .75}, {[][]int{{a, c}, {}}, .25}} {
		if got := coveredTwice(set, x.when); got != x.want {
			t.Errorf("%v: %v, want %v", x.when, got, x.want)
		}
	}
}

// TestScikit: trees and logistic regression predict a label that is one of the features.
func TestScikit(t *testing.T) {
	if exec.Command("python3", "-c", "import sklearn").Run() != nil {
		t.Skip("python3 has no scikit-learn")
	}
	d, err := dataset.ReadFrom(strings.NewReader("a,b,class\n"+strings.Repeat("1,0,1\n0,0,0\n1,1,1\n0,1,0\n", 20)), "x.csv", dataset.Options{KeepColumns: true})
	if err != nil {
		t.Fatal(err)
	}
	folds, err := crossval.Stratify(d, 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	var out Outcome
	if err := out.scikit(t.Context(), d, folds); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"CART accuracy", "CART AUC", "logistic regression accuracy", "logistic regression AUC"} {
		if m := out.Measures[name]; m != 1 {
			t.Errorf("%s: %v", name, m)
		}
	}
	if out.Measures["CART leaves"] != 2 {
		t.Errorf("%+v", out.Measures)
	}
}

// TestSetTables: the tables of rule sets have the figures of their records beside the
// paper's.
func TestSetTables(t *testing.T) {
	records := some("sets", "whole", 1)
	for i := range records {
		bound := .5
		records[i].Instance, records[i].UpperBound = "pima", &bound
		records[i].Measures = map[string]float64{setSteps: 16, provedSteps: 15, "literals": 7}
	}
	if text := Tables(records); !strings.Contains(text, "| .25   | .50   | .50         | 15 of 16 ") || !strings.Contains(text, "| 74.84 ") {
		t.Error(text)
	}
	records = some("sets", "folds", 1)
	for i := range records {
		records[i].Instance = "pima"
		records[i].Measures = map[string]float64{accuracy: .75, length: 3}
	}
	if text := Tables(records); !strings.Contains(text, "| 75.00% (.0) | 75.40%") || !strings.Contains(text, "| 3.0   | 3.2 ") {
		t.Error(text)
	}
}
