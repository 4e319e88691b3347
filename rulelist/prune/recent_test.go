package prune

import (
	"slices"
	"testing"

	"parcorels/rulelist/problem"
	"parcorels/trie"
)

// circulation is a worker that adds prefixes to the recent ones, and another
// that may read them.
type circulation struct {
	p             *problem.Problem
	f             *Frame
	ring          *Ring
	recent        recentBlocks // the adder's
	adder, reader *trie.Handle
	lap           int // prefixes that fill the ring
}

func newCirculation() *circulation {
	p := &problem.Problem{Words: 1, Unit: 1}
	arena := trie.NewArena(2, func(int64) bool { return true })
	c := &circulation{p: p, f: &Frame{U: make([]uint64, 1)}, ring: NewRing(p), adder: arena.Handle(0), reader: arena.Handle(1)}
	c.lap = len(c.ring.slots) * RecentBlock
	c.recent.init(c.ring, c.adder, p)
	c.add(2 * c.lap)
	return c
}

// add adds n prefixes, each dearer than the one before.
func (c *circulation) add(n int) {
	for range n {
		c.adder.Pin()
		c.f.Cost++
		c.recent.add(c.p, c.f)
		c.adder.Unpin()
	}
}

// look returns the blocks in the ring and what they hold.
func (c *circulation) look() (blocks []*dominatorList, costs [][]int64) {
	for i := range c.ring.slots {
		b := c.ring.slots[i].Load()
		blocks = append(blocks, b)
		costs = append(costs, slices.Clone(b.cost))
	}
	return blocks, costs
}

// TestBlocksWaitForReaders: what a pinned reader has met stays as it is, however
// much is added meanwhile, and is used again when the reader is gone.
func TestBlocksWaitForReaders(t *testing.T) {
	c := newCirculation()
	c.reader.Pin()
	blocks, costs := c.look()
	c.add(3 * c.lap)
	for i, b := range blocks {
		if !slices.Equal(b.cost, costs[i]) {
			t.Fatalf("block %d was filled again while a reader may be reading it", i)
		}
	}
	c.reader.Unpin()
	before := c.ring.next.Load()
	c.add(2 * c.lap)
	if published := c.ring.next.Load() - before; published < uint64(len(blocks)) {
		t.Errorf("%d blocks were published in two laps of %d", published, len(blocks))
	}
}
