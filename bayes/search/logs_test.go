package search

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"parcorels/optionerr"
	"parcorels/ratio"
)

// TestLogRising compares the tables with floats, within what these can tell. Checks of proofs compare every unit.
func TestLogRising(t *testing.T) {
	for _, α := range [][2]uint64{{1, 1}, {1, 2}, {3, 1}, {1, 1000}, {999, 1000}, {250, 7}} {
		a := float64(α[0]) / float64(α[1])
		base, _ := math.Lgamma(a)
		for _, parts := range []int{1, 2, 3, 1000, 5000} {
			for k, got := range logRising(α[0], α[1], 3000, parts) {
				want, _ := math.Lgamma(a + float64(k)/float64(parts))
				want -= base
				if diff := math.Abs(float64(got)/(1<<fracBits) - want); diff > 1e-9+1e-13*math.Abs(want) {
					t.Fatalf("α=%v, k=%d/%d: %v, want %v", a, k, parts, float64(got)/(1<<fracBits), want)
				}
			}
		}
	}
}

// TestManyDigits: heavy samples and pseudo-samples of many digits, of which tables would overflow, are refused.
func TestManyDigits(t *testing.T) {
	pts, cards, prior := draw(rand.New(rand.NewPCG(1, 1)))
	prior.Alpha1, prior.Alpha0 = ratio.New(1, 1<<20-5), ratio.New(1, 1<<20-3)
	heavy := *pts
	heavy.Total, heavy.ClassTotals = 1<<24, []int64{1 << 23, 1 << 23}
	var refused *optionerr.Error
	if _, err := newPosterior(&heavy, cards, prior, 0, 1); !errors.As(err, &refused) || refused.Field != "Alpha1" {
		t.Errorf("%v: expected a refusal of Alpha1", err)
	}
	if _, err := newPosterior(pts, cards, prior, 0, 1); err != nil {
		t.Error(err)
	}
}
