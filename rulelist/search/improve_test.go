package search

import (
	"testing"

	"parcorels/internal/testgen"
)

// TestImproveTakesItsShare: of what all workers spend, a sixteenth goes into
// better incumbents and no more than worker 0 spends on the search itself;
// nobody else looks for any.
func TestImproveTakesItsShare(t *testing.T) {
	const most = 1 << 20 // steps of a worker's search
	for workers, part := range map[int]float64{1: 1. / 16, 2: 1. / 8, 16: 1, 40: 1} {
		s := started(t, testgen.Medium(3), Options{Workers: workers})
		s.first(t.Context())
		if !s.build() {
			t.Fatal("the structures do not fit into no limit")
		}
		spent := func(w *worker) float64 {
			for w.work = s.finder.work.spent; w.work < most; w.work += 1 << 10 {
				w.improve()
			}
			return float64(s.finder.work.spent) / most
		}
		before := float64(s.finder.work.spent) / most
		if workers > 1 && spent(newWorker(s, 1)) != before {
			t.Errorf("%d workers: worker 1 looks for incumbents", workers)
		}
		// A round begins when half of the share is left, and its last step may go over it.
		if got := spent(newWorker(s, 0)); got < part/2 || got > part*1.05 {
			t.Errorf("%d workers: %.3f of worker 0's steps go into incumbents, %.3f before the search; want up to %.3f", workers, got, before, part)
		}
	}
}
