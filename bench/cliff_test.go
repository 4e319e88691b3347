package bench

import (
	"errors"
	"os"
	"testing"

	"parcorels/internal/testing/must"
)

// TestNoCliff: weights near those of a headline instance do not take many times its prefixes. It needs the data of the papers,
// in the folder that PARCORELS_DATA names.
func TestNoCliff(t *testing.T) {
	for _, x := range []struct {
		instance, lambda string
		weights          []string
		most             int64 // prefixes, three times as many as the headline takes
	}{
		{"nyclu", "0.01", []string{"balanced", "7,141", "1,20.5", "1,20", "1,19", "1,22", "1,15", "1,10"}, 4500},
		{"nyclu", "0.04", []string{"balanced", "1,20", "1,22"}, 1000},
		{"compas-binary", "0.005", []string{"", "balanced", "10,11", "11,10"}, 50},
		{"fico", "0.01", []string{"", "balanced", "10,11", "11,10"}, 50},
	} {
		for _, weights := range x.weights {
			in := must.Get(find(x.instance))(t)
			in.Reading.ClassWeights = weights
			set, err := in.load(t.Context(), os.Getenv(DataEnv))
			if errors.Is(err, ErrAbsent) {
				t.Skip(err)
			} else if err != nil {
				t.Fatal(err)
			}
			c := Case{Instance: x.instance, Lambda: x.lambda, Workers: 1}
			o := must.Get(c.options())(t)
			out, err := c.search(t.Context(), set, o)
			if err != nil || out.Status != "optimal" || out.Expanded > x.most {
				t.Errorf("%s, λ = %s, weights %q: %s after %d prefixes, %v; at most %d", x.instance, x.lambda, weights, out.Status,
					out.Expanded, err, x.most)
			}
			t.Logf("%s, λ = %s, weights %q: %d", x.instance, x.lambda, weights, out.Expanded)
		}
	}
}
