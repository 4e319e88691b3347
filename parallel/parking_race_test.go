//go:build race

package parallel

import (
	"testing"

	"parcorels/loop/interleave"
)

// TestPushWhileParking pushes a node at each step of a worker that parks: it
// must not sleep on it.
func TestPushWhileParking(t *testing.T) {
	parking := func() (pusher, parker *Worker[node]) {
		q := newTestQueue(2, Levels{})
		q.Worker(0).Opened(0, 0) // somebody is busy
		return q.Worker(0), q.Worker(1)
	}
	_, w := parking()
	w.q.parking.tokens <- struct{}{}
	steps := interleave.Steps(func() { w.park() })
	if steps < 3 {
		t.Fatalf("parking has %d steps", steps)
	}
	for step := range steps - 1 { // the last is behind the sleep
		pusher, w := parking()
		reached := interleave.Suspend(step, func() { pusher.Push(1, []Entry[node]{{Node: 1}}) })
		if !w.park() {
			t.Errorf("step %d: the search ended with a node open", step)
		}
		if !reached() {
			t.Errorf("step %d was not reached", step)
		}
	}
}

// TestOfferWhileOffering offers a better solution in the middle of an offer: the
// better one stays.
func TestOfferWhileOffering(t *testing.T) {
	var in Incumbent[number]
	nine, five, three := number(9), number(5), number(3)
	in.Offer(&nine)
	reached := interleave.Suspend(0, func() { in.Offer(&three) })
	if in.Offer(&five) || *in.Load() != 3 || !reached() {
		t.Errorf("the incumbent is %v", *in.Load())
	}
}

// TestBestBoundWhileNodesMove finishes a node between the steps of the reader of
// the best bound, after it made a child of the same bound: the level is never
// empty, and must not look so.
func TestBestBoundWhileNodesMove(t *testing.T) {
	for _, by := range [][2]int{{0, 0}, {0, 1}, {1, 0}} {
		q := newTestQueue(2, Levels{})
		q.Worker(by[0]).Opened(1, 3)
		for step := range 4 { // one for each level from the lowest
			reached := interleave.Suspend(step, func() {
				q.Worker(by[1]).Opened(2, 3)
				q.Worker(by[0]).Finished(3)
			})
			bound, open := q.BestBound()
			if !reached() || !open || bound != 3 {
				t.Errorf("workers %v, step %d: best bound %d, %v", by, step, bound, open)
			}
		}
	}
}
