package separation

import (
	"math"
	"testing"
)

// TestTrend: an LP ends that comes no nearer while its work doubles, or within two rules of the
// incumbent while it grows by a quarter, but not early, not one that goes on well, and not near it for a proof.
func TestTrend(t *testing.T) {
	for _, c := range []struct {
		name   string
		gap    func(work int64) float64
		stuck  bool
		before int64 // ends before so much work
		nearer int64
	}{
		{"far and no nearer", func(int64) float64 { return 8 }, true, 300, 0},
		{"near and no nearer", func(work int64) float64 { return max(1.5, 6/math.Sqrt(float64(work))) }, true, 40, 0},
		{"near and no nearer, for a proof", func(int64) float64 { return 1.9 }, false, 0, 64},
		{"near and nearer", func(work int64) float64 { return 12 / math.Pow(float64(work), 2./3) }, false, 0, 0},
		{"falls by a tenth", func(work int64) float64 {
			gap := 20.
			for ; work > 1; work /= 2 {
				gap *= 0.9
			}
			return gap
		}, false, 0, 0},
	} {
		var tr trend
		e := &Effort{Work: 1600, Nearer: c.nearer}
		stuck := false
		for work := int64(10); work < 1600 && !stuck; work += 10 {
			if stuck = tr.stuck(e, work, c.gap(work)); stuck && (c.gap(work) > nearRules && work < e.Work/shortWork || work >= c.before) {
				t.Errorf("%s: ends at a work of %d", c.name, work)
			}
		}
		if stuck != c.stuck {
			t.Errorf("%s: stuck is %v", c.name, stuck)
		}
	}
}
