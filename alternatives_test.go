package parcorels

import (
	"errors"
	"testing"

	"parcorels/internal/status"
	"parcorels/optionerr"
	"parcorels/ratio"
)

func TestAlternatives(t *testing.T) {
	d, err := Read("examples/monk1.csv", Reading{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewProblem(t.Context(), d, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, workers := range []int{1, 2, 5} {
		o := AlternativesOptions{Options: Options{Lambda: "0.01", Workers: workers}, Within: ratio.New(1, 10)}
		a, err := p.Alternatives(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		counts := a.Count()
		if n := counts.Lists().Int64(); n != 24 || !a.Complete {
			t.Errorf("%d workers: %d lists within 10%%, want 24", workers, n)
		}
		for _, e := range counts.Entries() {
			if e.Rules != 4 {
				t.Errorf("lists of %d rules", e.Rules)
			}
		}
		c, ok := a.Classifiers(1000)
		if !ok || c.Len() != 1 {
			t.Fatalf("%d classifiers, want 1", c.Len())
		}
		m, err := a.Model(c.At(0))
		if err != nil {
			t.Fatal(err)
		}
		if m.String() != a.Best.String() || m.Certificate().Status != status.Optimal {
			t.Errorf("the smallest list of the only classifier is\n%v\nnot the optimum\n%v", m, a.Best)
		}
	}
	var option *optionerr.Error
	if _, err := p.Alternatives(t.Context(), AlternativesOptions{Within: ratio.New(1, 10), Rules: ratio.New(1, 1)}); !errors.As(err, &option) {
		t.Errorf("two thresholds: %v", err)
	}
	var unproved *ErrUnproved
	if _, err := p.Alternatives(t.Context(), AlternativesOptions{Options: Options{Lambda: "0.01", Nodes: 1}}); !errors.As(err, &unproved) {
		t.Errorf("an optimum that is not proved: %v", err)
	}
}
