package parallel

import (
	"container/heap"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"
)

// byBucket is the queue of reference: a binary heap of entries.
type byBucket []Entry[node]

func (h byBucket) Len() int           { return len(h) }
func (h byBucket) Less(i, j int) bool { return h[i].Bucket < h[j].Bucket }
func (h byBucket) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *byBucket) Push(x any)        { *h = append(*h, x.(Entry[node])) }
func (h *byBucket) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// TestQueueAgainstHeap pushes and pops in random batches and compares buckets
// with those of a heap, and ids with those that were pushed.
func TestQueueAgainstHeap(t *testing.T) {
	spreads := map[string]func(*rand.Rand) uint32{
		"one bucket":  func(*rand.Rand) uint32 { return Buckets - 1 },
		"all buckets": func(r *rand.Rand) uint32 { return uint32(r.IntN(Buckets)) },
		"few buckets": func(r *rand.Rand) uint32 { return uint32(r.IntN(3)) * (Buckets/2 - 1) },
		"neighbours":  func(r *rand.Rand) uint32 { return 4030 + uint32(r.IntN(130)) }, // over the words of both levels
	}
	for name, spread := range spreads {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, 13))
			s := newShard[node](func(int64) bool { return true })
			var ref byBucket
			where := map[node]uint32{}
			next := node(0)
			for step := range 3000 {
				grow := step/500%2 == 0 // up, down, up, …
				if rng.IntN(4) > 0 == grow {
					batch := make([]Entry[node], rng.IntN(40))
					for i := range batch {
						batch[i] = Entry[node]{Node: next, Bucket: spread(rng)}
						where[next] = batch[i].Bucket
						next++
						heap.Push(&ref, batch[i])
					}
					if got := s.push(batch); got != len(batch) {
						t.Fatalf("step %d: took %d of %d without a budget", step, got, len(batch))
					}
				} else {
					checkPop(t, s, &ref, where, rng.IntN(40))
				}
				checkShard(t, s, ref)
			}
			checkPop(t, s, &ref, where, len(ref)+1)
			checkShard(t, s, ref)
		})
	}
}

// checkPop compares a batch: as many ids as there are, known, each in the
// bucket that is lowest at its turn.
func checkPop(t *testing.T, s *shard[node], ref *byBucket, where map[node]uint32, most int) {
	t.Helper()
	got := s.pop(nil, most)
	if want := min(most, len(*ref)); len(got) != want {
		t.Fatalf("popped %d of %d, want %d", len(got), len(*ref), want)
	}
	for _, id := range got {
		bucket, known := where[id]
		delete(where, id)
		if want := heap.Pop(ref).(Entry[node]).Bucket; !known || bucket != want {
			t.Fatalf("popped %d (waiting: %v) of bucket %d, the lowest is %d", id, known, bucket, want)
		}
	}
}

// checkShard compares what a shard publishes.
func checkShard(t *testing.T, s *shard[node], ref byBucket) {
	t.Helper()
	best := noBucket
	if len(ref) > 0 {
		best = int64(ref[0].Bucket)
	}
	if s.size.Load() != int64(len(ref)) || s.best.Load() != best {
		t.Fatalf("publishes size %d and best %d, want %d and %d", s.size.Load(), s.best.Load(), len(ref), best)
	}
}

// TestQueueBudget: what a push does not take stays with the caller, in order;
// chunks that were emptied are used again.
func TestQueueBudget(t *testing.T) {
	room := int64(2 * slabBytes)
	s := newShard[node](func(n int64) bool {
		if room < n {
			return false
		}
		room -= n
		return true
	})
	const most = 3 * slabLen // chunks: the first slab is taken unasked
	es := make([]Entry[node], most+10)
	for i := range es {
		es[i] = Entry[node]{Node: node(i), Bucket: uint32(i * 7)} // a chunk each
	}
	if got := s.push(es); got != most {
		t.Fatalf("%d chunks took %d buckets", most, got)
	}
	if got := s.push(es[most:]); got != 0 {
		t.Fatalf("took %d more with no memory left", got)
	}
	if got := s.push(slices.Repeat(es[:1], chunkNodes-1)); got != chunkNodes-1 {
		t.Fatalf("took %d although a chunk had room for %d", got, chunkNodes-1)
	}
	if s.size.Load() != most+chunkNodes-1 || s.best.Load() != 0 {
		t.Fatalf("publishes size %d, best %d", s.size.Load(), s.best.Load())
	}
	all := s.pop(nil, math.MaxInt)
	if len(all) != most+chunkNodes-1 {
		t.Fatalf("%d came back", len(all))
	}
	for range 5 { // nothing is lost of the memory either
		if got := s.push(es); got != most {
			t.Fatalf("%d chunks took %d buckets after they were emptied", most, got)
		}
		if got := len(s.pop(nil, math.MaxInt)); got != most {
			t.Fatalf("%d of %d came back", got, most)
		}
	}
}

// TestQueueTakesTheBetter: what a worker takes is never worse than the best of
// its own shard, best first, and it does not leave empty-handed while any shard
// holds something.
func TestQueueTakesTheBetter(t *testing.T) {
	const total = 2000
	q := newTestQueue(4, Levels{})
	w := q.Worker(0)
	rng := rand.New(rand.NewPCG(1, 15))
	where := make([]int64, total)
	for i := range where {
		where[i] = rng.Int64N(50)
		q.shards[max(0, rng.IntN(8)-4)].push([]Entry[node]{{Node: node(i), Bucket: uint32(where[i])}})
	}
	for taken, better := 0, 0; taken < total; {
		own := q.shards[0].best.Load()
		if !w.take() {
			t.Fatalf("nothing taken, %d wait", total-taken)
		}
		slices.Reverse(w.batch) // it is processed from its end
		for i, id := range w.batch {
			if where[id] > own && own != noBucket && i == 0 || i > 0 && where[id] < where[w.batch[i-1]] {
				t.Fatalf("batch %v begins in bucket %d, the worker's own shard in %d", w.batch, where[w.batch[0]], own)
			}
		}
		if where[w.batch[0]] < own && own != noBucket {
			better++
		}
		taken += len(w.batch)
		w.batch = w.batch[:0]
		if taken == total && better == 0 {
			t.Error("other shards were never looked at")
		}
	}
	if w.take() {
		t.Error("something taken from nothing")
	}
}

func TestQueueSizes(t *testing.T) {
	if size := unsafe.Sizeof([slabLen]chunk[node]{}); size != slabBytes {
		t.Errorf("a slab takes %d bytes, slabBytes says %d", size, slabBytes)
	}
	var s shard[node]
	if unsafe.Offsetof(s.mu) < 64 {
		t.Error("best and size, which others read, share a cache line with what the holder of the lock writes")
	}
	if unsafe.Sizeof(s)-unsafe.Offsetof(s.reserve)-unsafe.Sizeof(s.reserve) < 56 {
		t.Error("a shard may share a cache line with what lies behind it")
	}
}
