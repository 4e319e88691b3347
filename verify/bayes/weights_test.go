package bayes_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"parcorels/bayes/search"
	"parcorels/dataset"
	"parcorels/internal/testing/testgen"
	"parcorels/ratio"
	"parcorels/rules"
)

// TestWeightsCountSamples: a sample of weight 4 counts as four, as docs/proof-format.md says, though
// the digest holds weights without their common divisor, and one of ½ as half a sample; weights that are all equal count 1 each.
// The log posterior of the list without rules, as the column tells nothing, is computed here by the gamma function.
func TestWeightsCountSamples(t *testing.T) {
	lnBeta := func(a, b float64) float64 {
		x, _ := math.Lgamma(a)
		y, _ := math.Lgamma(b)
		z, _ := math.Lgamma(a + b)
		return x + y - z
	}
	for _, c := range []struct {
		weights  [3]float64 // of two samples of class 1 and one of class 0
		ones, no float64
	}{
		{[3]float64{1, 1, 1}, 2, 1}, {[3]float64{2, 2, 2}, 4, 2}, {[3]float64{2, 2, 4}, 4, 4}, {[3]float64{3, 6, 9}, 9, 9},
		{[3]float64{1.5, 3, .5}, 4.5, .5}, {[3]float64{1, 1.25, 1e-3}, 2.25, 1e-3}, {[3]float64{.3, .3, .3}, 2, 1},
	} {
		table := "a,w,y\n"
		for i, w := range c.weights {
			table += fmt.Sprintf("x,%g,k%d\n", w, min(1, 2-i))
		}
		set := testgen.MinedText(t, strings.ReplaceAll(table, "k2", "k1"), dataset.Options{Weight: "w"},
			rules.Options{MinSupport: ratio.New(0, 1)})
		r, proof := proved(t, set, search.Options{Prior: usualPrior()})
		got, err := check(t, proof, set, 1)
		if err != nil || len(r.Rules) > 0 {
			t.Fatal(err, r.Rules)
		}
		// No antecedent, so the prior on the length is 1, and α = 1.
		want := lnBeta(c.ones+1, c.no+1) - lnBeta(1, 1)
		if f := float64(got.Posterior) / (1 << 32); math.Abs(f-want) > 1e-8 {
			t.Errorf("weights %v: log posterior %v, of %v samples of class 1 and %v of class 0 it is %v", c.weights, f, c.ones, c.no, want)
		}
	}
}
