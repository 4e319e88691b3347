package search

import (
	"slices"
	"testing"
)

// circulation is a worker that adds prefixes to the recent ones, and another
// that may read them.
type circulation struct {
	s      *search
	adder  *worker
	reader *worker
	lap    int // prefixes that fill the ring
}

func newCirculation(t *testing.T) *circulation {
	s := newBareSearch(t, 2)
	c := &circulation{s: s, adder: newWorker(s, 0), reader: newWorker(s, 1), lap: len(s.recent.slots) * recentBlock}
	c.add(2 * c.lap)
	return c
}

// add adds n prefixes, each dearer than the one before.
func (c *circulation) add(n int) {
	f := c.adder.stack.frame(0)
	for range n {
		c.adder.trie.Pin()
		f.cost++
		c.adder.near.recent.add(c.s.p, f)
		c.adder.trie.Unpin()
	}
}

// look returns the blocks in the ring and what they hold.
func (c *circulation) look() (blocks []*dominatorList, costs [][]int64) {
	for i := range c.s.recent.slots {
		b := c.s.recent.slots[i].Load()
		blocks = append(blocks, b)
		costs = append(costs, slices.Clone(b.cost))
	}
	return blocks, costs
}

// TestBlocksWaitForReaders: what a pinned reader has met stays as it is, however
// much is added meanwhile, and is used again when the reader is gone.
func TestBlocksWaitForReaders(t *testing.T) {
	c := newCirculation(t)
	c.reader.trie.Pin()
	blocks, costs := c.look()
	c.add(3 * c.lap)
	for i, b := range blocks {
		if !slices.Equal(b.cost, costs[i]) {
			t.Fatalf("block %d was filled again while a reader may be reading it", i)
		}
	}
	c.reader.trie.Unpin()
	before := c.s.recent.next.Load()
	c.add(2 * c.lap)
	if published := c.s.recent.next.Load() - before; published < uint64(len(blocks)) {
		t.Errorf("%d blocks were published in two laps of %d", published, len(blocks))
	}
}
