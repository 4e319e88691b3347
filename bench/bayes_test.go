package bench

import (
	"strings"
	"testing"

	"parcorels/dataset"
	"parcorels/rules"
)

// TestBayesCase: a Bayesian list of a made table is proved with and without a bound, and
// lists of folds measure what they should.
func TestBayesCase(t *testing.T) {
	c := Case{Model: Bayesian, Instance: "monk1", Lambda: "3", Workers: 1}
	all, err := Execute(t.Context(), c, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	if all.Status != optimal || all.Objective >= 0 || all.Gap != 0 || all.Length == 0 || all.SecondsFirst <= 0 || all.SecondsFirst > all.SecondsSearch {
		t.Errorf("%+v", all)
	}
	c.Without = "pure"
	less, err := Execute(t.Context(), c, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	if less.Objective != all.Objective || less.Expanded <= all.Expanded {
		t.Errorf("%v with %d prefixes, without a bound %v with %d", all.Objective, all.Expanded, less.Objective, less.Expanded)
	}
	c = Case{Model: Bayesian, Instance: "monk1", Folds: 3, Nodes: 1, Workers: 1}
	if all, err = Execute(t.Context(), c, "", nil); err != nil {
		t.Fatal(err)
	}
	if all.Measures[accuracy] < .9 || all.Measures["AUC"] < .9 || all.Chosen == "5" || all.Chosen == "" {
		t.Errorf("λ %s, %+v", all.Chosen, all.Measures)
	}
	c = Case{Model: Bayesian, Instance: "monk1", Lambda: "3", Workers: 1, Keep: 5, MaxRules: 1}
	if all, err = Execute(t.Context(), c, "", nil); err != nil || all.Antecedents != 5 || all.Length > 1 || all.Status != optimal {
		t.Errorf("%+v, %v", all, err)
	}
	for _, bad := range []Case{{Lambda: "x"}, {Without: "x"}, {Policy: "bfs"}} {
		bad.Model, bad.Instance = Bayesian, "monk1"
		if _, err := Execute(t.Context(), bad, "", nil); err == nil {
			t.Errorf("%+v: no error", bad)
		}
	}
}

// TestStrongest keeps what tells the classes apart, and of equal antecedents the first.
func TestStrongest(t *testing.T) {
	d, err := dataset.ReadFrom(strings.NewReader("a,b,c,d,class\n1,1,1,1,1\n1,1,0,0,1\n1,0,1,0,0\n0,0,0,0,0\n"), "x.csv", dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int]string{0: "abcd", 1: "b", 2: "ab", 3: "abd", 4: "abcd", 9: "abcd"} {
		set, err := rules.Mine(t.Context(), d, rules.Options{MaxCard: 1})
		if err != nil {
			t.Fatal(err)
		}
		strongest(set, n)
		names := ""
		for _, a := range set.Antecedents {
			names += a.Name
		}
		if names != want {
			t.Errorf("%d of four are %s, want %s", n, names, want)
		}
	}
}

// TestBayesTables: the tables of Bayesian lists have the figures of their records.
func TestBayesTables(t *testing.T) {
	records := some("sbrl", "folds", 1)
	for i := range records {
		records[i].Instance, records[i].Chosen = "telco", "7"
		records[i].Measures = map[string]float64{"AUC": .75, "CART leaves": 12, "logistic regression AUC": .875}
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
	records = some("sbrl", "reach", 1)
	for i := range records {
		records[i].MaxRules, records[i].Antecedents, records[i].Objective = 4, 1336, -12.34567
	}
	if text := Tables(records); !strings.Contains(text, "| 1,336 ") || !strings.Contains(text, "| 4 ") || !strings.Contains(text, "-12.3457") {
		t.Error(text)
	}
}
