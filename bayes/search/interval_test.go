package search_test

import (
	"math"
	"testing"

	"parcorels/bayes"
)

// TestInterval compares the interval of a rule with known quantiles: Beta(2, 5) has
// .0433 and .6412, Beta(1, 1) is uniform.
func TestInterval(t *testing.T) {
	for _, c := range []struct{ a, b, low, high float64 }{{2, 5, .043272, .641235}, {1, 1, .025, .975}, {.5, .5, .001541, .998459},
		{500, 500, .469032, .530968}, {1. / 3, 3, .000004, .525603}} {
		low, high := bayes.Interval(c.a, c.b)
		if math.Abs(low-c.low) > 2e-6 || math.Abs(high-c.high) > 2e-6 {
			t.Errorf("Beta(%v, %v): %v to %v, want %v to %v", c.a, c.b, low, high, c.low, c.high)
		}
	}
}
