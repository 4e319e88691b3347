package parallel

import (
	"math/bits"
	"sync"
	"sync/atomic"

	"parcorels/internal/invariants"
)

// The sharded priority queue: one bucket queue a worker. A worker pushes to
// its own shard and pops from its own or, if that is clearly better, from
// another one taken at random (after MultiQueue: Rihani, Sanders, Dementiev,
// SPAA 2015, where it is the better of two), several nodes at a time. So the
// mutex of a shard is taken once per expansion or less and is nearly always
// free, and the nodes that a worker expands are mostly those that it made,
// below parents that it made; nothing in the loop over children locks.
//
// Priorities are small integers, so a shard is an array of buckets with a
// bitmap over them: push and pop take constant time. A bucket is a stack of
// chunks of nodes.

const (
	// Buckets is the number of priorities.
	Buckets = 1 << 14

	chunkNodes = 62
	slabLen    = 64
	slabBytes  = slabLen * 256
	noBucket   = int64(Buckets)
)

// Node is how a client names a node of its search: any 32-bit integer.
type Node interface{ ~uint32 }

// Entry is an open node on its way to the queue.
type Entry[N Node] struct {
	Node   N
	Bucket uint32 // its priority, below Buckets: the lowest is taken first
	Bound  int64  // lower bound of whatever lies below it; at least its parent's
}

type chunk[N Node] struct {
	next  uint32 // index + 1 of the chunk below
	n     uint32
	nodes [chunkNodes]N
}

type shard[N Node] struct {
	best atomic.Int64 // lowest bucket in use, noBucket when empty; read without the lock
	size atomic.Int64
	_    [48]byte

	mu      sync.Mutex
	heads   [Buckets]uint32 // index + 1 of the top chunk
	level0  [Buckets / 64]uint64
	level1  [Buckets / 64 / 64]uint64
	slabs   []*[slabLen]chunk[N]
	free    uint32 // index + 1 of a chunk that was used
	used    uint32 // chunks that were ever used: the first ones
	reserve func(int64) bool
	_       [64]byte
}

// newShard returns an empty shard. Its first slab is taken unasked, so that
// there is always room for the root.
func newShard[N Node](reserve func(int64) bool) *shard[N] {
	s := &shard[N]{reserve: reserve}
	s.best.Store(noBucket)
	s.addSlab()
	return s
}

// push queues the entries and returns how many it took: fewer than all when
// the memory budget is spent.
func (s *shard[N]) push(es []Entry[N]) int {
	s.mu.Lock()
	n := 0
	for n < len(es) && s.pushOne(&es[n]) {
		n++
	}
	s.publish(n)
	s.mu.Unlock()
	return n
}

// publish publishes size and best after a change. A store that others see costs more
// than to find that nothing has changed.
func (s *shard[N]) publish(added int) {
	if size := s.size.Add(int64(added)); invariants.On && (size < 0 || (size == 0) != (s.lowest() == noBucket)) {
		panic("parallel: the size of a shard is not that of its buckets")
	}
	if best := s.lowest(); best != s.best.Load() {
		s.best.Store(best)
	}
}

func (s *shard[N]) pushOne(e *Entry[N]) bool {
	b := e.Bucket
	if head := s.heads[b]; head != 0 {
		if c := s.chunk(head); c.n < chunkNodes {
			c.nodes[c.n] = e.Node
			c.n++
			return true
		}
	}
	i := s.newChunk()
	if i == 0 {
		return false
	}
	c := s.chunk(i)
	c.next, c.n, c.nodes[0] = s.heads[b], 1, e.Node
	s.heads[b] = i
	s.level0[b/64] |= 1 << (b % 64)
	s.level1[b/4096] |= 1 << (b / 64 % 64)
	return true
}

// pop appends up to most nodes to dst, lowest buckets first.
func (s *shard[N]) pop(dst []N, most int) []N {
	s.mu.Lock()
	taken := 0
	for taken < most {
		b := s.lowest()
		if b == noBucket {
			break
		}
		had := len(dst)
		dst = s.popFrom(uint32(b), dst, most-taken)
		taken += len(dst) - had
	}
	s.publish(-taken)
	s.mu.Unlock()
	return dst
}

// popFrom appends up to most nodes of a bucket's top chunk to dst.
func (s *shard[N]) popFrom(b uint32, dst []N, most int) []N {
	head := s.heads[b]
	c := s.chunk(head)
	for ; most > 0 && c.n > 0; most-- {
		c.n--
		dst = append(dst, c.nodes[c.n])
	}
	if c.n == 0 {
		s.heads[b] = c.next
		c.next = s.free
		s.free = head
		if s.heads[b] == 0 {
			s.level0[b/64] &^= 1 << (b % 64)
			if s.level0[b/64] == 0 {
				s.level1[b/4096] &^= 1 << (b / 64 % 64)
			}
		}
	}
	return dst
}

func (s *shard[N]) lowest() int64 {
	for i, w := range s.level1 {
		if w != 0 {
			j := i*64 + bits.TrailingZeros64(w)
			return int64(j*64 + bits.TrailingZeros64(s.level0[j]))
		}
	}
	return noBucket
}

func (s *shard[N]) chunk(i uint32) *chunk[N] { return &s.slabs[(i-1)/slabLen][(i-1)%slabLen] }

// newChunk returns an empty chunk, 0 when the budget is spent.
func (s *shard[N]) newChunk() uint32 {
	if i := s.free; i != 0 {
		c := s.chunk(i)
		s.free, c.next = c.next, 0
		return i
	}
	if s.unused() == 0 {
		if !s.reserve(slabBytes) {
			return 0
		}
		s.addSlab()
	}
	s.used++
	return s.used
}

// addSlab makes a slab of chunks.
func (s *shard[N]) addSlab() { s.slabs = append(s.slabs, new([slabLen]chunk[N])) }

// unused returns how many chunks were never used.
func (s *shard[N]) unused() int { return len(s.slabs)*slabLen - int(s.used) }

// shrink takes free chunks away until n are left.
func (s *shard[N]) shrink(n int) {
	free := s.unused()
	for c := s.free; c != 0; c = s.chunk(c).next {
		free++
	}
	for ; free > n; free-- {
		s.newChunk()
	}
}
