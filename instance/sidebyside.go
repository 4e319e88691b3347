package instance

import (
	"runtime"
	"slices"
	"sync"

	"parcorels/loop"
)

// Samples are read and grouped side by side: each worker makes the keys and hashes of a block
// by itself, and then adds its samples to shards, of which the hash picks one. Shards do not know one another, and a
// worker holds one of them at a time. Which worker comes first does not matter: weights are summed up, and in
// the end points are numbered by their first samples.

const (
	// blockSamples is how many samples are read at a time: a multiple of 64.
	blockSamples = 1 << 12
	// A shard is picked by the highest shardBits of a hash, its slots by the lowest.
	shardBits = 6
	shards    = 1 << shardBits
)

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
		b := g.newBlock(samples)
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

func (g *grouping) newBlock(samples int) *block {
	n := min(blockSamples, samples+63)
	return &block{grouping: g, keys: make([]uint64, n*g.width), hashes: make([]uint64, n)}
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
