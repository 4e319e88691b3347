package search

import (
	"bytes"
	"math"
	"testing"

	"parcorels/bayes"
	"parcorels/dataset"
	"parcorels/internal/status"
	"parcorels/internal/testing/must"
	"parcorels/internal/testing/testgen"
	"parcorels/ratio"
	"parcorels/rules"
)

// TestKnown: posteriors on public data that an independent program certified, with proofs; and the eight lines of three of
// tic-tac-toe, which the chains find from each of ten seeds.
func TestKnown(t *testing.T) {
	lines := Options{Nodes: 1, Prior: usualPrior()}
	proved := Options{Workers: 1, Prior: usualPrior()}
	proved.Prior.Length = ratio.New(3, 1)
	for _, c := range []struct {
		name   string
		o      Options
		seeds  uint64
		want   float64
		digits float64
		rules  int
	}{
		{"monks1", proved, 1, -47.49, 5e-3, 0},
		{"monks3", proved, 1, -28.7635, 5e-5, 0},
		{"ttt_train", lines, 10, -117.7696, 5e-5, 8},
	} {
		data := must.Get(dataset.Read(testgen.Data(t, "corels/"+c.name+".out.gz"), dataset.Options{}))(t)
		set := must.Get(rules.Given(data))(t)
		d := newDrawn(t, set, c.o.Prior, 0)
		for c.o.Seed = range c.seeds {
			var proof bytes.Buffer
			if c.rules == 0 {
				c.o.Proof = &Proof{To: &proof, Digest: set.Digest()}
			}
			r := must.Get(Solve(t.Context(), d.pts, bayes.Cardinalities(set), c.o))(t)
			f := float64(r.Posterior) / float64(Unit)
			t.Logf("%s: %.4f, %d rules, gap %.3f, %s, %d expanded, agree %d of 10, %.2f + %.2f s", c.name, f, len(r.Rules),
				nats(r.Bound-r.Posterior), r.Status, r.Expanded, r.Agree, r.Seconds.Chains, r.Seconds.Exact)
			if math.Abs(f-c.want) > c.digits || c.rules > 0 && len(r.Rules) != c.rules || c.rules == 0 && r.Status != status.Optimal {
				t.Errorf("%s, seed %d: F = %.4f, %d rules, %s, want %v", c.name, c.o.Seed, f, len(r.Rules), r.Status, c.want)
			}
			if c.rules > 0 {
				continue
			}
			if err := checked(set, &proof); err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
		}
	}
}

// usualPrior is that of the reference implementation.
func usualPrior() Prior {
	return Prior{Length: ratio.New(10, 1), Width: ratio.New(1, 1), Alpha1: ratio.New(1, 1), Alpha0: ratio.New(1, 1)}
}
