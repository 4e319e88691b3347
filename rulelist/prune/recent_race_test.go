//go:build race

package prune

import (
	"slices"
	"testing"

	"parcorels/internal/testing/interleave"
)

// TestReadersBetweenTheStepsOfPublishing moves the epoch and lets a reader pin
// itself and look at each step of a block's way into the ring.
func TestReadersBetweenTheStepsOfPublishing(t *testing.T) {
	for step := range 2 {
		c := newCirculation()
		var blocks []*dominatorList
		var costs [][]int64
		filled := c.recent.filling.n
		c.add(RecentBlock - 1 - filled)
		reached := interleave.Suspend(step, func() {
			for e := c.adder.Epoch(); c.adder.Epoch() == e; {
				// The adder is pinned in e, or in the epoch before it.
				if c.reader.Passed(e); c.adder.Epoch() == e {
					break
				}
			}
			c.reader.Pin()
			blocks, costs = c.look()
		})
		c.add(1)
		if !reached() {
			t.Fatalf("step %d was not reached", step)
		}
		c.add(3 * c.lap)
		for i, b := range blocks {
			if !slices.Equal(b.cost, costs[i]) {
				t.Fatalf("step %d: block %d was filled again while a reader may be reading it", step, i)
			}
		}
	}
}
