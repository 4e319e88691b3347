package separation

import "testing"

// TestTrend: an LP ends that comes no nearer while its work doubles, but not early, not within
// two rules of the incumbent, and not one that goes on well.
func TestTrend(t *testing.T) {
	for _, c := range []struct {
		name   string
		gap    func(work int64) float64
		stuck  bool
		before int64 // ends before so much work
	}{
		{"far and no nearer", func(int64) float64 { return 8 }, true, 300},
		{"near and no nearer", func(int64) float64 { return 1.9 }, false, 0},
		{"falls by a tenth", func(work int64) float64 {
			gap := 20.
			for ; work > 1; work /= 2 {
				gap *= 0.9
			}
			return gap
		}, false, 0},
	} {
		var tr trend
		e := &Effort{Work: 1600}
		stuck := false
		for work := int64(10); work < 1600 && !stuck; work += 10 {
			if stuck = tr.stuck(e, work, c.gap(work)); stuck && (work < e.Work/shortWork || work >= c.before) {
				t.Errorf("%s: ends at a work of %d", c.name, work)
			}
		}
		if stuck != c.stuck {
			t.Errorf("%s: stuck is %v", c.name, stuck)
		}
	}
}
