package goodmodels_test

import (
	"errors"
	"testing"

	"parcorels/ask/fair"
	"parcorels/ask/goodmodels"
	"parcorels/family"
	"parcorels/internal/status"
	"parcorels/internal/testing/must"
	"parcorels/optionerr"
	"parcorels/ratio"
	"parcorels/rules/rates"
)

func TestAlternatives(t *testing.T) {
	d := must.Get(family.Read("../../examples/monk1.csv", family.Reading{}))(t)
	p := must.Get(family.NewProblem(t.Context(), d, family.Options{}))(t)
	for _, workers := range []int{1, 2, 5} {
		o := goodmodels.Options{Options: family.Options{Lambda: "0.01", Workers: workers}, Within: ratio.New(1, 10)}
		a := must.Get(goodmodels.Ask(t.Context(), p, o))(t)
		counts := a.Count()
		if n := counts.Models().Int64(); n != 24 || !a.Complete {
			t.Errorf("%d workers: %d lists within 10%%, want 24", workers, n)
		}
		for _, e := range counts.Entries() {
			if e.Size != 4 {
				t.Errorf("lists of %d rules", e.Size)
			}
		}
		c, ok := a.Classifiers(1000)
		if !ok || c.Len() != 1 {
			t.Fatalf("%d classifiers, want 1", c.Len())
		}
		m := must.Get(a.Model(c.At(0)))(t)
		if m.String() != a.Best.String() || m.Certificate().Status != status.Optimal {
			t.Errorf("the smallest list of the only classifier is\n%v\nnot the optimum\n%v", m, a.Best)
		}
	}
	var option *optionerr.Error
	if _, err := goodmodels.Ask(t.Context(), p, goodmodels.Options{Within: ratio.New(1, 10), Rules: ratio.New(1, 1)}); !errors.As(err,
		&option) {
		t.Errorf("two thresholds: %v", err)
	}
	var unproved *goodmodels.ErrUnproved
	if _, err := goodmodels.Ask(t.Context(), p, goodmodels.Options{Options: family.Options{Lambda: "0.01", Nodes: 1}}); !errors.As(err,
		&unproved) {
		t.Errorf("an optimum that is not proved: %v", err)
	}
}

// TestFairRefused: groups of another table, and limits that cannot be.
func TestFairRefused(t *testing.T) {
	d := must.Get(family.Read("../../examples/monk1.csv", family.Reading{}))(t)
	o := family.Options{Lambda: "0.05"}
	p := must.Get(family.NewProblem(t.Context(), d, o))(t)
	for name, x := range map[string]struct {
		rows int
		most ratio.Ratio
	}{"too few rows in the group": {d.N - 1, ratio.New(1, 2)}, "a limit of 2": {d.N, ratio.New(2, 1)}} {
		var option *optionerr.Error
		if _, err := fair.Ask(t.Context(), p, fair.Options{Options: o, Group: rates.Group{Inside: make([]bool, x.rows)},
			Limits: []fair.Limit{{Measure: rates.TPR, Most: x.most}}}); !errors.As(err, &option) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
