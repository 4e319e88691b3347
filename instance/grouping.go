package instance

import (
	"slices"

	"parcorels/bitvec"
)

// grouping collects samples into points by key. Only distinct keys are stored;
// a hash finds the candidates, the words of the key decide.
type grouping struct {
	keyed
	hashes []uint64 // by point
	slots  []int32  // open addressing by hash: point + 1, 0 for a free slot
	hash   func(key []uint64) uint64

	separate bool // every sample is a point of its own
}

func newGrouping(antecedents, classes int) *grouping {
	g := &grouping{keyed: newKeyed(antecedents, classes), slots: make([]int32, 1<<10)}
	hasher := bitvec.NewHasher(g.width)
	g.hash = func(key []uint64) uint64 { return hasher.Hash(key).Lo }
	return g
}

// find returns the point of a key with its hash, and makes it if there is none yet.
func (g *grouping) find(key []uint64, h uint64) int {
	if g.separate {
		return g.add(key)
	}
	mask := uint64(len(g.slots) - 1)
	s := h & mask
	for ; g.slots[s] != 0; s = (s + 1) & mask {
		p := int(g.slots[s] - 1)
		if g.hashes[p] == h && slices.Equal(g.key(p), key) {
			return p
		}
	}
	p := g.add(key)
	g.hashes = append(g.hashes, h)
	g.slots[s] = int32(p + 1)
	if 2*g.n > len(g.slots) {
		g.grow()
	}
	return p
}

// grow doubles the slots, so that at most half of them are ever taken. They are
// written to before they are read: pages that are read first are all the page of
// zeros, and replacing that interrupts other cores.
func (g *grouping) grow() {
	g.slots = make([]int32, 2*len(g.slots))
	clear(g.slots)
	mask := uint64(len(g.slots) - 1)
	for p, h := range g.hashes {
		s := h & mask
		for g.slots[s] != 0 {
			s = (s + 1) & mask
		}
		g.slots[s] = int32(p + 1)
	}
}
