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

	separate bool // every sample is a point of its own (separate.go)
}

func newGrouping(antecedents, classes int) *grouping {
	g := &grouping{keyed: newKeyed(antecedents, classes), slots: make([]int32, 1<<10)}
	hasher := bitvec.NewHasher(g.width)
	g.hash = func(key []uint64) uint64 { return hasher.Hash(key).Lo }
	return g
}

// addRange adds the samples from first on, a multiple of 64, up to last, 64 at a
// time. words are the words of the columns.
func (g *grouping) addRange(words [][]uint64, labels labelling, weights []int64, first, last int) {
	keys := make([]uint64, 64*g.width)
	for ; first < last; first += 64 {
		readKeys(keys, g.width, words, first/64)
		for i := range min(64, last-first) {
			p := g.find(keys[i*g.width : (i+1)*g.width])
			w := int64(1)
			if weights != nil {
				w = weights[first+i]
			}
			g.weights[p*g.classes+labels.class(first+i)] += w
		}
	}
}

// find returns the point of key and makes it if there is none yet.
func (g *grouping) find(key []uint64) int {
	return g.findHashed(key, g.hash(key))
}

// findHashed is find of a key whose hash is known.
func (g *grouping) findHashed(key []uint64, h uint64) int {
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
