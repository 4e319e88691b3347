//go:build race

package parallel

import (
	"testing"

	"parcorels/trie"
)

// pushOne makes a child of the root and pushes it.
func pushOne(w *worker) {
	w.trie.Pin()
	defer w.trie.Unpin()
	f := w.frame(0)
	f.id, f.rooted = trie.Root, true
	c := child{}
	w.adopt(f, &c)
	w.enqueue(f, &c)
	w.flush(f)
}

// TestPushWhileParking pushes a prefix at each step of a worker that parks: it
// must not sleep on it.
func TestPushWhileParking(t *testing.T) {
	guard(t)
	parking := func() (pusher, parker *worker) {
		s := newBareSearch(t, 2)
		add(&s.counters[0].inserted, 1) // somebody is busy
		return newWorker(s, 0), newWorker(s, 1)
	}
	_, w := parking()
	outer, steps := between, 0
	between = func() { steps++ }
	w.s.idle.tokens <- struct{}{}
	w.park()
	between = outer
	if steps < 3 {
		t.Fatalf("parking has %d steps", steps)
	}
	for step := range steps - 1 { // the last is behind the sleep
		pusher, w := parking()
		reached := suspend(step, func() { pushOne(pusher) })
		if !w.park() {
			t.Errorf("step %d: the search ended with a prefix open", step)
		}
		if !reached() {
			t.Errorf("step %d was not reached", step)
		}
	}
}

// TestOfferWhileOffering offers a better list in the middle of an offer: the
// better one stays.
func TestOfferWhileOffering(t *testing.T) {
	var in incumbent
	in.offer(&solution{objective: 9})
	reached := suspend(0, func() { in.offer(&solution{objective: 3}) })
	if in.offer(&solution{objective: 5}) || in.load().objective != 3 || !reached() {
		t.Errorf("the incumbent is %+v", in.load())
	}
}

// TestBestBoundWhilePrefixesMove finishes a prefix between the steps of the
// reader of the best bound, after it made a child of the same bound: the level
// is never empty, and must not look so.
func TestBestBoundWhilePrefixesMove(t *testing.T) {
	for _, by := range [][2]int{{0, 0}, {0, 1}, {1, 0}} {
		s := newBareSearch(t, 2)
		add(&s.counters[by[0]].levels.inserted[3], 1)
		for step := range 4 { // one for each level from the lowest
			reached := suspend(step, func() {
				add(&s.counters[by[1]].levels.inserted[3], 1)
				add(&s.counters[by[0]].levels.finished[3], 1)
			})
			bound, open := s.leveller.bestBound(s.counters)
			if !reached() || !open || bound != s.leveller.bound(3) {
				t.Errorf("workers %v, step %d: best bound %d, %v", by, step, bound, open)
			}
		}
	}
}
