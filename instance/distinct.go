package instance

import (
	"math/bits"
	"slices"

	"parcorels/internal/loop"
)

// Samples nearly all of which are points of their own, as where antecedents are many,
// would be added to one table of points one after the other. Here they are parted by
// hash instead. Equal keys have equal hashes, so that every part is looked through by
// itself, in a table that stays in a near cache:
//
//  1. Block by block, samples get their keys, weights and hashes.
//  2. Each block puts its hashes with their samples where they go by part; as much
//     room is kept for it as its count of each part says, so that the samples of a
//     part keep their order.
//  3. Part by part, samples with the key of an earlier one are found: its twins.
//  4. The weights of twins go to the first sample of their key, and they close up.
//
// All but the last step goes on side by side, and that does nothing where there are
// no twins. It takes 20 bytes a sample beside keys and weights. Points come in the
// order of their first samples, whatever the number of workers, parts and blocks.

// probed is how many samples tell whether most of them are points: more than three
// quarters of these.
const probed = 1 << 11

// partSamples is about how many samples a part has: a table of so many stays in a
// near cache.
const partSamples = 1 << 12

// distinct are the samples of a grouping on their way to points.
type distinct struct {
	*grouping
	words   [][]uint64
	labels  labelling
	given   []int64 // their weights; nil: 1 each
	samples int

	block   int      // samples of a block
	keys    []uint64 // of all samples
	hashes  []int32  // likewise
	shift   int      // a hash without so many low bits is a part
	parts   int
	at      []uint32 // of each block and part: how many entries, then where they go
	ends    []uint32 // of the parts
	entries []uint64 // by part: a hash and its sample, counted from 1
	twins   [][]twin // by part
}

// twin is a sample with the key of an earlier one, the first that has it.
type twin struct{ sample, first uint32 }

// addDistinct adds all samples to a grouping without points.
func (g *grouping) addDistinct(words [][]uint64, labels labelling, weights []int64, samples int) {
	d := &distinct{grouping: g, words: words, labels: labels, given: weights, samples: samples}
	workers := workersFor(samples)
	d.block = max((samples/(4*workers)+63)&^63, probed)
	d.keys = make([]uint64, (samples+63)/64*64*g.width)
	g.weights = make([]int64, samples*g.classes)
	d.part()
	blocks := (samples + d.block - 1) / d.block
	d.at = make([]uint32, blocks*d.parts)
	d.hashes = make([]int32, samples, samples+1)
	loop.ParallelWith(workers, blocks, func() func(int) { return d.readBlock })
	if !g.separate {
		d.entries = make([]uint64, samples)
		d.makeRoom(blocks)
		loop.ParallelWith(workers, blocks, func() func(int) { return d.spreadBlock })
		d.twins = make([][]twin, d.parts)
		loop.ParallelWith(workers, d.parts, d.newSearch)
	}
	g.n, g.keyed.keys, g.keyed.shift = samples, [][]uint64{d.keys}, 62
	g.order = d.hashes[:0] // which are needed no more
	if slices.ContainsFunc(d.twins, func(t []twin) bool { return len(t) > 0 }) {
		d.closeUp()
	}
}

// part decides how many parts there are.
func (d *distinct) part() {
	log := bits.Len(uint(d.samples / partSamples))
	d.parts, d.shift = 1<<log, 32-log
}

// rangeOf returns the samples of a block.
func (d *distinct) rangeOf(block int) (first, last int) {
	return block * d.block, min(d.samples, (block+1)*d.block)
}

// readBlock does step 1.
func (d *distinct) readBlock(block int) {
	width, classes := d.width, d.classes
	counts := d.at[block*d.parts : (block+1)*d.parts]
	for first, last := d.rangeOf(block); first < last; first += 64 {
		keys := d.keys[first*width:][: 64*width : 64*width]
		readKeys(keys, width, d.words, first/64)
		for i := first; i < min(first+64, last); i++ {
			w := int64(1)
			if d.given != nil {
				w = d.given[i]
			}
			d.weights[i*classes+d.labels.class(i)] = w
			if !d.separate {
				h := uint32(d.hash(keys[(i-first)*width:(i-first+1)*width]) >> 32)
				d.hashes[i] = int32(h)
				counts[h>>d.shift]++
			}
		}
	}
}

// makeRoom turns the counts of blocks and parts into places.
func (d *distinct) makeRoom(blocks int) {
	at := uint32(0)
	d.ends = make([]uint32, d.parts)
	for p := range d.parts {
		for b := range blocks {
			n := &d.at[b*d.parts+p]
			at, *n = at+*n, at
		}
		d.ends[p] = at
	}
}

// spreadBlock does step 2.
func (d *distinct) spreadBlock(block int) {
	at := d.at[block*d.parts : (block+1)*d.parts]
	first, last := d.rangeOf(block)
	for i, h := range d.hashes[first:last] {
		to := &at[uint32(h)>>d.shift]
		d.entries[*to] = uint64(uint32(h))<<32 | uint64(first+i+1)
		*to++
	}
}

// newSearch returns what does step 3, with a table of its own: open addressing by the
// low bits of the hash, an entry in each slot, 0 for a free one.
func (d *distinct) newSearch() func(part int) {
	var table []uint64
	return func(part int) {
		from := uint32(0)
		if part > 0 {
			from = d.ends[part-1]
		}
		entries := d.entries[from:d.ends[part]]
		slots := 1 << bits.Len(uint(2*len(entries)))
		table = slices.Grow(table[:0], slots)[:slots]
		clear(table)
		mask := uint64(slots - 1)
		for _, e := range entries {
			s := e >> 32 & mask
			for table[s] != 0 && !d.same(table[s], e) {
				s = (s + 1) & mask
			}
			if table[s] == 0 {
				table[s] = e
			} else {
				d.twins[part] = append(d.twins[part], twin{uint32(e) - 1, uint32(table[s]) - 1})
			}
		}
	}
}

// same reports whether two entries have the same key.
func (d *distinct) same(a, b uint64) bool {
	return a>>32 == b>>32 && slices.Equal(d.keyOf(uint32(a)-1), d.keyOf(uint32(b)-1))
}

func (d *distinct) keyOf(sample uint32) []uint64 {
	return d.keys[int(sample)*d.width : (int(sample)+1)*d.width]
}

// closeUp does step 4.
func (d *distinct) closeUp() {
	gone := make([]uint64, (d.samples+63)/64)
	for _, twins := range d.twins {
		for _, t := range twins {
			gone[t.sample/64] |= 1 << (t.sample % 64)
			for c := range d.classes {
				d.weights[int(t.first)*d.classes+c] += d.weights[int(t.sample)*d.classes+c]
			}
		}
	}
	n := 0
	for i := range d.samples {
		if gone[i/64]>>(i%64)&1 != 0 {
			continue
		}
		if n < i {
			copy(d.keyOf(uint32(n)), d.keyOf(uint32(i)))
			copy(d.weights[n*d.classes:(n+1)*d.classes], d.weights[i*d.classes:])
		}
		n++
	}
	d.grouping.n, d.weights = n, d.weights[:n*d.classes]
}
