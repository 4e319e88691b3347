package instance

import (
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/bits-and-blooms/bitset"

	"parcorels/loop"
)

// MaxTotal is the largest total weight of an instance, 2^62 − 1.
const MaxTotal = 1<<62 - 1

// tableSamples is what the samples of a table are.
type tableSamples struct {
	antecedents int
	columns     [][]uint64  // of the key
	derivation  *derivation // of other columns; nil: none
	of          []uint16    // class by sample
	classes     int
	weights     []int64   // nil: 1 each
	gains       [][]int64 // by class and sample, what it weighs there; nil: its weight in its own class alone
}

func wordsOf(columns []*bitset.BitSet) [][]uint64 {
	words := make([][]uint64, len(columns))
	for a, c := range columns {
		words[a] = c.Words()
	}
	return words
}

// add adds to the weights of a point, by class, those of a sample.
func (s *tableSamples) add(to []int64, i int) {
	switch {
	case s.gains != nil:
		for q, gains := range s.gains {
			to[q] += gains[i]
		}
	case s.weights != nil:
		to[s.of[i]] += s.weights[i]
	default:
		to[s.of[i]]++
	}
}

// weigh returns the weight of all samples together and of each class.
func (s *tableSamples) weigh() (total int64, byClass []int64, err error) {
	byClass = make([]int64, s.classes)
	for i := range s.of {
		w := int64(1)
		if s.weights != nil {
			w = s.weights[i]
		}
		if w <= 0 {
			return 0, nil, fmt.Errorf("sample %d has weight %d: a weight is a positive number", i, w)
		}
		if w > MaxTotal-total {
			return 0, nil, fmt.Errorf("the weights of the first %d samples add up to 2^62 or more: scale them down or give them fewer "+
				"digits", i+1)
		}
		total += w
		s.add(byClass, i)
	}
	return total, byClass, nil
}

// A set often has tens of thousands of conjunctions of a few hundred literals. What a sample
// satisfies of these decides what it satisfies of all. So samples are grouped by a key of
// those antecedents alone that are no conjunction of others, and the columns of the others
// are made of points: 50,000 samples of 65,536 antecedents of 500 literals have keys of 3 MB
// instead of 400, and the columns take less time.
//
// The points are the same: two samples that agree in the columns of the key agree in all,
// and these are columns, too.

// derivation says which columns are made of others.
type derivation struct {
	own  []int32   // the columns of the key
	made [][]int32 // by column: those whose intersection it is; nil of one of the key
}

// keysOf returns the columns of the key among all.
func (d *derivation) keysOf(columns [][]uint64) [][]uint64 {
	if d == nil {
		return columns
	}
	own := make([][]uint64, len(d.own))
	for i, a := range d.own {
		own[i] = columns[a]
	}
	return own
}

// make makes the other columns.
func (d *derivation) make(columns [][]uint64) {
	if d == nil || len(d.own) == len(d.made) {
		return
	}
	loop.Parallel(len(columns), func(a int) {
		of := d.made[a]
		if of == nil {
			return
		}
		copy(columns[a], columns[of[0]])
		for _, b := range of[1:] {
			for w, x := range columns[b] {
				columns[a][w] &= x
			}
		}
	})
}

// transpose turns a 64×64 matrix of bits around its diagonal: bit c of word r
// becomes bit r of word c.
//
// A column holds one antecedent for all samples, but grouping needs all
// antecedents of one sample, its key. Gathering a key bit by bit would touch
// a different cache line for every bit. Taking one word (64 samples) of 64
// columns at a time and transposing it in registers gives 64 words of keys for
// 64 loads and 6·32 exchanges.
//
// The matrix is seen as 2×2 blocks of 32×32 bits: exchanging the two blocks
// off the diagonal, then doing the same within each of the four blocks, with
// 16×16, 8×8, … 1×1, transposes it (Warren, Hacker's Delight, section 7-3). At
// block size j, mask has the low j bits of every 2j, and every pair of rows
// (k, k+j) exchanges the high halves of row k with the low halves of row k+j.
//
// There are bits of only so many columns. As long as they take half of a row at most, the second half of the rows is
// moved to the free halves of the first: this exchanges the blocks as well, and leaves half of the rows.
func transpose(m *[64]uint64, columns int) {
	mask, j := ^uint64(0), 32
	for ; j >= columns; j /= 2 {
		mask ^= mask << j
		for k := range j {
			m[k] |= m[k+j] << j
		}
	}
	for rows := 2 * j; j > 0; j /= 2 {
		mask ^= mask << j
		for k := 0; k < rows; k = (k + j + 1) &^ j {
			t := (m[k]>>j ^ m[k+j]) & mask
			m[k] ^= t << j
			m[k+j] ^= t
		}
	}
}

// Samples are read and grouped side by side: each worker makes the keys and hashes of a block
// by itself, and then adds its samples to shards, of which the hash picks one. Shards do not know one another, and a
// worker holds one of them at a time. Which worker comes first does not matter: weights are summed up, and in
// the end points are numbered by their first samples.

// blockSamples is how many samples are read at a time: a multiple of 64.
const blockSamples = 1 << 12

// A shard is picked by the highest shardBits of a hash, its slots by the lowest.
const shardBits = 6
const shards = 1 << shardBits

// shard is the points whose hashes begin alike.
type shard struct {
	mu sync.Mutex
	grouping
	firsts []int32 // by point: its first sample
}

// group makes points of the samples, or with separate one of each.
func (s *tableSamples) group(separate bool) *grouping {
	g := newGrouping(len(s.columns), s.classes)
	g.separate, g.derivation = separate, s.derivation
	g.addAll(s)
	return g
}

// addAll adds every sample.
func (g *grouping) addAll(from *tableSamples) {
	samples := len(from.of)
	all := make([]shard, shards)
	for i := range all {
		all[i].grouping = grouping{keyed: g.keyed, slots: make([]int32, 1<<4), hash: g.hash, separate: g.separate}
		all[i].expect(samples)
		all[i].shift = max(0, all[i].shift-shardBits) // the chunks of all are as large as one of g
	}
	loop.ParallelWith(runtime.GOMAXPROCS(0), (samples+blockSamples-1)/blockSamples, func() func(int) {
		n := min(blockSamples, samples+63)
		b := &block{grouping: g, keys: make([]uint64, n*g.width), hashes: make([]uint64, n)}
		return func(at int) {
			b.read(from, at)
			for k := range all {
				s := (at + k) % shards // no two workers begin with the same
				all[s].add(from, b, b.lists[s])
			}
		}
	})
	g.join(all, samples)
}

// add adds samples of a block.
func (s *shard) add(from *tableSamples, b *block, list []uint16) {
	if len(list) == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, i := range list {
		p, sample := s.find(b.key(int(i)), b.hashes[i]), b.first+int(i)
		from.add(s.weightsOf(p), sample)
		if p == len(s.firsts) {
			s.firsts = append(s.firsts, int32(sample))
		}
		s.firsts[p] = min(s.firsts[p], int32(sample))
	}
}

// join makes the points of all shards those of g, in the order of their first samples.
func (g *grouping) join(all []shard, samples int) {
	g.parts = make([]keyed, len(all))
	at := make([]place, samples) // by first sample
	loop.Parallel(len(all), func(i int) {
		s := &all[i]
		for p, f := range s.firsts {
			at[f] = place{uint32(i + 1), int32(p)}
		}
		g.parts[i] = s.keyed
		*s = shard{} // its slots and hashes are needed no longer
	})
	g.places = slices.DeleteFunc(at, func(x place) bool { return x.part == 0 })
	if g.n = len(g.places); 2*g.n < samples {
		g.places = slices.Clone(g.places)
	}
}

// block is the keys and hashes of samples.
type block struct {
	*grouping
	keys   []uint64 // width words a sample
	hashes []uint64
	lists  [shards][]uint16 // samples by shard
	first  int              // sample
}

// key returns the key of sample i.
func (b *block) key(i int) []uint64 { return b.keys[i*b.width : (i+1)*b.width] }

// read reads block at of the samples.
func (b *block) read(from *tableSamples, at int) {
	b.first = at * blockSamples
	n := min(blockSamples, len(from.of)-b.first)
	for i := 0; i < n; i += 64 {
		readKeys(b.keys[i*b.width:], b.width, from.columns, (b.first+i)/64)
	}
	for s := range b.lists {
		b.lists[s] = b.lists[s][:0]
	}
	for i := range n {
		h := b.hash(b.key(i))
		s := h >> (64 - shardBits)
		b.hashes[i], b.lists[s] = h, append(b.lists[s], uint16(i))
	}
}
