package instance

import (
	"iter"
	"math/bits"
	"slices"

	"parcorels/bitvec"
	"parcorels/loop"
)

// keyed are points by key, in the order of their first samples. The key of a
// point is its row of the table, one bit an antecedent that is not made of others
// (reduce.go), packed into words; the
// other layout, a set of points for each antecedent, is made of it by turning
// 64×64 blocks (samples.go).
type keyed struct {
	width   int        // words of a key
	classes int        // k
	n       int        // points
	weights []int64    // k of each point: weights[p·k+c] is its weight of class c
	keys    [][]uint64 // chunk by chunk: growing never copies them
	shift   int        // a chunk has 1<<shift keys

	// Points of several shards (samples.go) have their keys there, and their weights unless others are given; nil: their own.
	parts  []keyed
	places []place

	derivation *derivation // of columns that are not in the keys; nil: none
}

// place is where the key of a point is.
type place struct {
	part  uint32 // from 1
	point int32
}

// chunkWords is the size of a chunk of keys (512 KiB), unless one key is longer.
const chunkWords = 1 << 16

// expect says how many points there are at most, before the first is added: chunks are no
// longer than that.
func (k *keyed) expect(points int) { k.shift = min(k.shift, bits.Len(uint(points))) }

// add makes a point without weight and returns its number.
func (k *keyed) add(key []uint64) int {
	p := k.n
	k.n++
	for range k.classes {
		k.weights = append(k.weights, 0)
	}
	if p>>k.shift == len(k.keys) {
		k.keys = append(k.keys, make([]uint64, k.width<<k.shift))
	}
	copy(k.key(p), key)
	return p
}

// key returns the stored key of point p.
func (k *keyed) key(p int) []uint64 {
	if k.parts != nil {
		at := k.places[p]
		k, p = &k.parts[at.part-1], int(at.point)
	}
	at := (p & (1<<k.shift - 1)) * k.width
	return k.keys[p>>k.shift][at : at+k.width]
}

// weightsOf returns the weights of point p, by class.
func (k *keyed) weightsOf(p int) []int64 {
	if k.parts != nil && k.weights == nil {
		at := k.places[p]
		return k.parts[at.part-1].weightsOf(int(at.point))
	}
	return k.weights[p*k.classes : (p+1)*k.classes]
}

// eachPart calls body with points and their weights by class, side by side and in no order: all points, some at a time.
func (k *keyed) eachPart(body func(points iter.Seq2[int, []int64])) {
	const step = 1 << 16
	loop.Parallel((k.n+step-1)/step, func(at int) {
		body(func(yield func(int, []int64) bool) {
			for p := at * step; p < min((at+1)*step, k.n); p++ {
				if !yield(p, k.weightsOf(p)) {
					return
				}
			}
		})
	})
}

// drop lets go of the weights, which take as much as the columns.
func (k *keyed) drop() {
	for i := range k.parts {
		k.parts[i].weights = nil
	}
}

// readKeys writes the keys of the 64 rows of word w, width words each, to
// keys. Rows are samples or points, columns are sets of them.
func readKeys(keys []uint64, width int, columns [][]uint64, w int) {
	for k := range width {
		var m [64]uint64
		for i, c := range columns[k*64 : min(k*64+64, len(columns))] {
			m[i] = c[w]
		}
		transpose(&m, 64)
		for i, x := range m {
			keys[i*width+k] = x
		}
	}
}

// placedWords is how many words of a set a worker places at a time: whole lines of a
// cache, so that no two workers write to the same one but at the ends of columns.
const placedWords = 64

// place writes the bits of the columns of the keys. The points of each list begin at a word. The keys are turned back
// into columns 64 points at a time.
func (k *keyed) place(columns [][]uint64, lists [][]int32, begins []int) {
	for l, list := range lists {
		eachWords(list, func(w int, some []int32) { k.writeColumns(columns, some, begins[l]+w) })
	}
}

// eachWords calls body with 64 points of a list at a time, side by side, and the word that they are of its points.
func eachWords(list []int32, body func(w int, some []int32)) {
	loop.Parallel((len(list)+64*placedWords-1)/(64*placedWords), func(step int) {
		first := step * placedWords
		for w := first; w < first+placedWords && 64*w < len(list); w++ {
			body(w, list[64*w:min(64*w+64, len(list))])
		}
	})
}

// writeColumns writes the bits of at most 64 points of list to word w of
// columns.
func (k *keyed) writeColumns(columns [][]uint64, list []int32, w int) {
	for i := range k.width {
		var m [64]uint64
		for j, p := range list {
			m[j] = k.key(int(p))[i]
		}
		own := columns[i*64 : min(i*64+64, len(columns))]
		transpose(&m, len(own))
		for j, c := range own {
			c[w] = m[j]
		}
	}
}

// columnsOf returns sets that lie one behind the other.
func columnsOf(backing []uint64, antecedents, words int) [][]uint64 {
	columns := make([][]uint64, antecedents)
	for a := range columns {
		columns[a] = backing[a*words : (a+1)*words : (a+1)*words]
	}
	return columns
}

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
	width := (antecedents + 63) / 64
	g := &grouping{slots: make([]int32, 1<<10)}
	g.keyed = keyed{width: width, classes: classes, shift: bits.Len(uint(chunkWords/max(width, 1))|1) - 1}
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
