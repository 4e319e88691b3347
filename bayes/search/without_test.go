package search

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/internal/testing/testgen"
)

// TestWithout: fewer bounds give the same list later, and each of them is worth
// something.
func TestWithout(t *testing.T) {
	var expanded [allBounds]int64
	var longer int
	for seed := range testgen.Seeds(1000) {
		r := rand.New(rand.NewPCG(uint64(seed), 23))
		pts, cards, prior := draw(r)
		var first *Result
		for w := range allBounds {
			got, err := Solve(t.Context(), pts, cards, Options{Prior: prior, Chains: 1, Iterations: 1, Workers: 1, Without: w})
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = got
			}
			if !slices.Equal(got.Rules, first.Rules) || got.Posterior != first.Posterior || got.Status != first.Status {
				t.Fatalf("seed %d without %s: %v %d %s, want %v %d %s", seed, w, got.Rules, got.Posterior, got.Status, first.Rules,
					first.Posterior, first.Status)
			}
			expanded[w] += got.Expanded
		}
		p, err := newPosterior(pts, cards, prior, 0)
		if err != nil {
			t.Fatal(err)
		}
		best := solution{first.Posterior, first.Rules}
		longer += newExact(p, newBounder(p, pts, 0), best, Length).longest - newExact(p, newBounder(p, pts, 0), best, 0).longest
	}
	if longer <= 0 {
		t.Error("the bound on the length leaves nothing out")
	}
	t.Logf("prefixes expanded: %v", expanded)
	for _, w := range []Bounds{Length | Pure | Points | Capacity, Pure, Points, Capacity} {
		if expanded[w] <= expanded[0] {
			t.Errorf("without %s as many prefixes were expanded as with it: %d and %d", w, expanded[w], expanded[0])
		}
	}
}

// TestParseBounds: names are read as they are written.
func TestParseBounds(t *testing.T) {
	for b := range allBounds {
		if got, err := ParseBounds(b.String()); got != b || err != nil {
			t.Errorf("%q: %v, %v", b, got, err)
		}
	}
	if _, err := ParseBounds("pure,x"); err == nil {
		t.Error("x is a bound")
	}
	pts, cards, prior := draw(rand.New(rand.NewPCG(1, 1)))
	for _, o := range []Options{{Without: allBounds}, {Without: Pure, Proof: &Proof{To: new(bytes.Buffer)}}} {
		o.Prior = prior
		if _, err := Solve(t.Context(), pts, cards, o); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
}
