package instance

import (
	"math/bits"
	"runtime"
	"sync"
	"sync/atomic"

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
	g.expect(samples)
	blocks := (samples + blockSamples - 1) / blockSamples
	workers := min(runtime.GOMAXPROCS(0), blocks)
	if workers == 1 {
		b := g.newBlock(samples)
		for at := range blocks {
			b.read(from, at)
			for i := range b.n {
				from.addTo(g, b, i)
			}
		}
		return
	}
	g.sideBySide(from, workers, blocks)
}

// sideBySide adds every sample, with so many workers.
func (g *grouping) sideBySide(from *tableSamples, workers, blocks int) {
	all := make([]shard, shards)
	for i := range all {
		all[i].grouping = grouping{keyed: g.keyed, slots: make([]int32, 1<<4), hash: g.hash, separate: g.separate}
		all[i].shift = max(0, g.shift-shardBits) // the chunks of all are as large as one of g
	}
	loop.ParallelWith(workers, blocks, func() func(int) {
		b := g.newBlock(len(from.of))
		return func(at int) {
			b.read(from, at)
			b.sort()
			for k := range all {
				s := (at + k) % shards // no two workers begin with the same
				all[s].add(from, b, b.order[b.ends[s]:b.ends[s+1]])
			}
		}
	})
	g.join(all, len(from.of))
}

// add adds samples of a block.
func (s *shard) add(from *tableSamples, b *block, list []uint16) {
	if len(list) == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, i := range list {
		p, sample := from.addTo(&s.grouping, b, int(i)), int32(b.first+int(i))
		if p == len(s.firsts) {
			s.firsts = append(s.firsts, sample)
		}
		s.firsts[p] = min(s.firsts[p], sample)
	}
}

// addTo adds sample i of a block to a grouping, and returns its point.
func (s *tableSamples) addTo(g *grouping, b *block, i int) int {
	p := g.find(b.keys[i*g.width:(i+1)*g.width], b.hashes[i])
	s.add(g.weights[p*g.classes:(p+1)*g.classes], b.first+i)
	return p
}

// join makes the points of all shards those of g, in the order of their first samples.
func (g *grouping) join(all []shard, samples int) {
	ranks := rankFirsts(samples, len(all), func(i int) []int32 { return all[i].firsts })
	g.n = ranks.n
	g.parts, g.places = make([]keyed, len(all)), make([]place, g.n)
	loop.Parallel(len(all), func(i int) {
		s := &all[i]
		for at, f := range s.firsts {
			g.places[ranks.of(f)] = place{uint32(i), int32(at)}
		}
		g.parts[i] = s.keyed
		*s = shard{} // its slots and hashes are needed no longer
	})
}

// block is the keys and hashes of samples.
type block struct {
	*grouping
	keys   []uint64 // width words a sample
	hashes []uint64
	order  []uint16        // samples by shard
	ends   [shards + 1]int // where the samples of a shard begin, and the next ones
	first  int             // sample
	n      int             // samples
}

func (g *grouping) newBlock(samples int) *block {
	n := min(blockSamples, samples+63)
	return &block{grouping: g, keys: make([]uint64, n*g.width), hashes: make([]uint64, n), order: make([]uint16, n)}
}

// read reads block at of the samples.
func (b *block) read(from *tableSamples, at int) {
	b.first = at * blockSamples
	b.n = min(blockSamples, len(from.of)-b.first)
	for i := 0; i < b.n; i += 64 {
		readKeys(b.keys[i*b.width:], b.width, from.columns, (b.first+i)/64)
	}
	for i := range b.n {
		b.hashes[i] = b.hash(b.keys[i*b.width : (i+1)*b.width])
	}
}

// sort puts the samples in the order of their shards.
func (b *block) sort() {
	var next [shards + 1]int
	for _, h := range b.hashes[:b.n] {
		next[h>>(64-shardBits)+1]++
	}
	for s := range shards {
		next[s+1] += next[s]
	}
	b.ends = next
	for i, h := range b.hashes[:b.n] {
		at := &next[h>>(64-shardBits)]
		b.order[*at] = uint16(i)
		*at++
	}
}

// ranks number points by their first samples.
type ranks struct {
	n      int
	first  []uint64 // samples that are the first of a point
	before []int32  // points whose first sample is in a word before
}

// rankFirsts makes the ranks of lists of first samples.
func rankFirsts(samples, lists int, list func(int) []int32) ranks {
	r := ranks{first: make([]uint64, (samples+63)/64)}
	loop.Parallel(lists, func(i int) {
		for _, f := range list(i) {
			atomic.OrUint64(&r.first[f>>6], 1<<(f&63))
		}
	})
	r.before = make([]int32, len(r.first))
	for w, x := range r.first {
		r.before[w] = int32(r.n)
		r.n += bits.OnesCount64(x)
	}
	return r
}

// of returns the number of the point of a first sample.
func (r *ranks) of(first int32) int {
	return int(r.before[first>>6]) + bits.OnesCount64(r.first[first>>6]&(1<<(first&63)-1))
}
