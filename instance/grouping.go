package instance

import (
	"math/bits"
	"slices"

	"parcorels/bitvec"

	"github.com/bits-and-blooms/bitset"
)

// grouping collects samples into points by key. The key of a sample is its
// row of the table, one bit an antecedent, packed into words. Only distinct
// keys are stored; a hash finds the candidates, the words of the key decide.
type grouping struct {
	width  int        // words of a key
	points []point    // in the order of their first samples
	keys   [][]uint64 // keys of the points, chunk by chunk: growing never copies them
	shift  int        // a chunk has 1<<shift keys
	slots  []int32    // open addressing by hash: point + 1, 0 for a free slot
	hash   func(key []uint64) uint64

	separate bool // every sample is a point of its own (separate.go)
}

// point is a set of samples with one key.
type point struct {
	hash             uint64
	weight1, weight0 int64
}

// chunkWords is the size of a chunk of keys (512 KiB), unless one key is longer.
const chunkWords = 1 << 16

func newGrouping(antecedents int) *grouping {
	width := (antecedents + 63) / 64
	hasher := bitvec.NewHasher(width)
	return &grouping{
		width: width,
		shift: bits.Len(uint(chunkWords/max(width, 1))|1) - 1,
		slots: make([]int32, 1<<10),
		hash:  func(key []uint64) uint64 { return hasher.Hash(key).Lo },
	}
}

// addAll adds every sample, 64 at a time.
func (g *grouping) addAll(columns []*bitset.BitSet, labels *bitset.BitSet, weights []int64, samples int) {
	words := make([][]uint64, len(columns))
	for a, c := range columns {
		words[a] = c.Words()
	}
	keys := make([]uint64, 64*g.width)
	for first := 0; first < samples; first += 64 {
		readKeys(keys, g.width, words, first/64)
		label := labels.Words()[first/64]
		for i := range min(64, samples-first) {
			p := g.find(keys[i*g.width : (i+1)*g.width])
			w := int64(1)
			if weights != nil {
				w = weights[first+i]
			}
			if label>>i&1 == 1 {
				g.points[p].weight1 += w
			} else {
				g.points[p].weight0 += w
			}
		}
	}
}

// readKeys writes the keys of the 64 samples of word w, width words each, to
// keys.
func readKeys(keys []uint64, width int, columns [][]uint64, w int) {
	for k := range width {
		var m [64]uint64
		for i, c := range columns[k*64 : min(k*64+64, len(columns))] {
			m[i] = c[w]
		}
		transpose(&m)
		for i, x := range m {
			keys[i*width+k] = x
		}
	}
}

// find returns the point of key and makes it if there is none yet.
func (g *grouping) find(key []uint64) int {
	if g.separate {
		return g.add(0, key)
	}
	h := g.hash(key)
	mask := uint64(len(g.slots) - 1)
	s := h & mask
	for ; g.slots[s] != 0; s = (s + 1) & mask {
		p := int(g.slots[s] - 1)
		if g.points[p].hash == h && slices.Equal(g.key(p), key) {
			return p
		}
	}
	p := g.add(h, key)
	g.slots[s] = int32(p + 1)
	if 2*len(g.points) > len(g.slots) {
		g.grow()
	}
	return p
}

// add makes a point.
func (g *grouping) add(hash uint64, key []uint64) int {
	p := len(g.points)
	g.points = append(g.points, point{hash: hash})
	if p>>g.shift == len(g.keys) {
		g.keys = append(g.keys, make([]uint64, g.width<<g.shift))
	}
	copy(g.key(p), key)
	return p
}

// key returns the stored key of point p.
func (g *grouping) key(p int) []uint64 {
	at := (p & (1<<g.shift - 1)) * g.width
	return g.keys[p>>g.shift][at : at+g.width]
}

// grow doubles the slots, so that at most half of them are ever taken.
func (g *grouping) grow() {
	g.slots = make([]int32, 2*len(g.slots))
	mask := uint64(len(g.slots) - 1)
	for p := range g.points {
		s := g.points[p].hash & mask
		for g.slots[s] != 0 {
			s = (s + 1) & mask
		}
		g.slots[s] = int32(p + 1)
	}
}
