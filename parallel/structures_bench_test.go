package parallel

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/puzpuzpuz/xsync/v3"

	"parcorels/bitvec"
	"parcorels/trie"
)

// The shared structures against what one would take off the shelf, each with
// the operations that the search makes, from 1 to 16 goroutines.

var goroutines = []int{1, 2, 4, 8, 16}

// prefixMap is what the search asks of a symmetry map.
type prefixMap interface {
	find(k bitvec.Key) trie.Ref
	offer(k bitvec.Key, r trie.Ref, c *claim) (offerOutcome, trie.Ref)
}

// xsyncMap takes a bucket's lock for each write.
type xsyncMap struct {
	m *xsync.MapOf[bitvec.Key, trie.Ref]
}

func newXsyncMap() prefixMap {
	return xsyncMap{xsync.NewMapOfWithHasher[bitvec.Key, trie.Ref](func(k bitvec.Key, _ uint64) uint64 { return k.Lo })}
}

func (x xsyncMap) find(k bitvec.Key) trie.Ref { r, _ := x.m.Load(k); return r }

func (x xsyncMap) offer(k bitvec.Key, r trie.Ref, c *claim) (out offerOutcome, displaced trie.Ref) {
	x.m.Compute(k, func(old trie.Ref, held bool) (trie.Ref, bool) {
		out, displaced = standOff(old, held, c)
		if out == refused {
			return old, false
		}
		return r, false
	})
	return out, displaced
}

// standOff is slot.contend for one who holds a lock.
func standOff(old trie.Ref, held bool, c *claim) (offerOutcome, trie.Ref) {
	if !held {
		return entered, 0
	}
	switch c.against(old) {
	case loses:
		return refused, 0
	case wins:
		return entered, old
	}
	return entered, 0
}

// standardMap is the standard library's: lock-free reads, values in boxes.
type standardMap struct{ m sync.Map }

func (s *standardMap) find(k bitvec.Key) trie.Ref {
	if r, held := s.m.Load(k); held {
		return r.(trie.Ref)
	}
	return 0
}

func (s *standardMap) offer(k bitvec.Key, r trie.Ref, c *claim) (offerOutcome, trie.Ref) {
	for {
		old, held := s.m.LoadOrStore(k, r)
		if !held {
			return entered, 0
		}
		out, displaced := standOff(old.(trie.Ref), true, c)
		if out == refused || s.m.CompareAndSwap(k, old, r) {
			return out, displaced
		}
	}
}

// shardedMap is 64 Go maps behind a mutex each, as many as our map has parts.
type shardedMap struct {
	shards [1 << mapPartBits]struct {
		mu sync.Mutex
		m  map[bitvec.Key]trie.Ref
		_  [48]byte
	}
}

func newShardedMap() prefixMap {
	s := &shardedMap{}
	for i := range s.shards {
		s.shards[i].m = map[bitvec.Key]trie.Ref{}
	}
	return s
}

func (s *shardedMap) find(k bitvec.Key) trie.Ref {
	sh := &s.shards[k.Hi>>(64-mapPartBits)]
	sh.mu.Lock()
	defer sh.mu.Unlock()
	return sh.m[k]
}

func (s *shardedMap) offer(k bitvec.Key, r trie.Ref, c *claim) (offerOutcome, trie.Ref) {
	sh := &s.shards[k.Hi>>(64-mapPartBits)]
	sh.mu.Lock()
	defer sh.mu.Unlock()
	old, held := sh.m[k]
	out, displaced := standOff(old, held, c)
	if out == entered {
		sh.m[k] = r
	}
	return out, displaced
}

var prefixMaps = []struct {
	name string
	make func() prefixMap
}{
	{"symmetryMap", func() prefixMap {
		return newSymmetryMap(mapPartBits, firstSlots, func(int64) bool { return true }, func(int64) {})
	}},
	{"xsync.MapOf", newXsyncMap},
	{"sync.Map", func() prefixMap { return &standardMap{} }},
	{"mutexes", newShardedMap},
}

// BenchmarkSymmetryMap fills a map from nothing, growth included: each
// operation looks a key up and, if nobody or a larger prefix holds it, offers
// it. Three in ten keys were there before; a tenth of those are improved.
func BenchmarkSymmetryMap(b *testing.B) {
	const total = 1 << 18
	plan := newMapPlan(total)
	for _, kind := range prefixMaps {
		for _, g := range goroutines {
			b.Run(fmt.Sprintf("%s/%d", kind.name, g), func(b *testing.B) {
				var bytes int64
				b.StopTimer()
				for range b.N {
					before := heapBytes()
					m := kind.make()
					b.StartTimer()
					plan.run(m, g)
					b.StopTimer()
					bytes = heapBytes() - before
					runtime.KeepAlive(m)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/total, "ns/key")
				b.ReportMetric(float64(bytes)/float64(plan.distinct), "B/entry")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// BenchmarkSymmetryMapFind looks up keys in a full map: half of them are there.
func BenchmarkSymmetryMapFind(b *testing.B) {
	const total = 1 << 18
	plan := newMapPlan(total)
	for _, kind := range prefixMaps {
		m := kind.make()
		plan.run(m, 1)
		for _, g := range goroutines {
			b.Run(fmt.Sprintf("%s/%d", kind.name, g), func(b *testing.B) {
				for range b.N {
					together(g, func(i int) {
						for j := i; j < total; j += g {
							k := plan.steps[j*0x9e3779b1%total].key // not in the order of insertion
							k.Lo ^= uint64(j & 1)
							m.find(k)
						}
					})
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/total, "ns/key")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

func heapBytes() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// together runs f(0) … f(n−1) in goroutines of their own.
func together(n int, f func(i int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { f(i) })
	}
	wg.Wait()
}

// mapPlan is the same work for every map: keys with the costs of the prefixes
// that want them. Two nodes stand for all prefixes.
type mapPlan struct {
	s        *search
	steps    []mapStep
	refs     [2]trie.Ref // of cost 0 and 1
	distinct int
}

type mapStep struct {
	key  bitvec.Key
	cost int64
}

func newMapPlan(total int) *mapPlan {
	p := &mapPlan{s: &search{arena: trie.NewArena(1, func(int64) bool { return true }), p: &problem{names: []uint16{0}}}}
	for cost := range p.refs {
		id, _ := p.s.arena.Handle(0).New(trie.Root, 0, false, int64(cost), 0)
		p.refs[cost] = p.s.arena.Ref(id)
	}
	rng := rand.New(rand.NewPCG(1, 19))
	for len(p.steps) < total {
		step := mapStep{bitvec.Key{Hi: rng.Uint64(), Lo: rng.Uint64()}, 1}
		if len(p.steps) > 0 && rng.IntN(10) < 3 {
			step = p.steps[rng.IntN(len(p.steps))]
			step.cost = 1
			if rng.IntN(10) == 0 {
				step.cost = 0
			}
		} else {
			p.distinct++
		}
		p.steps = append(p.steps, step)
	}
	return p
}

func (p *mapPlan) run(m prefixMap, goroutines int) {
	together(goroutines, func(i int) {
		c := &claim{s: p.s, depth: 1, prefix: []uint16{0}}
		for j := i; j < len(p.steps); j += goroutines {
			step := &p.steps[j]
			c.cost = step.cost
			if r := m.find(step.key); r == 0 || c.against(r) != loses {
				m.offer(step.key, p.refs[step.cost], c)
			}
		}
	})
}

// prefixQueue is what a worker asks of a queue.
type prefixQueue interface {
	push(es []entry)
	pop(dst []trie.ID, most int) []trie.ID
}

// heapQueue is a binary heap behind one mutex, for all workers.
type heapQueue struct {
	mu sync.Mutex
	h  []entry
}

func (q *heapQueue) push(es []entry) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, e := range es {
		q.h = append(q.h, e)
		for i := len(q.h) - 1; i > 0 && q.h[(i-1)/2].bucket > e.bucket; i = (i - 1) / 2 {
			q.h[i], q.h[(i-1)/2] = q.h[(i-1)/2], e
		}
	}
}

func (q *heapQueue) pop(dst []trie.ID, most int) []trie.ID {
	q.mu.Lock()
	defer q.mu.Unlock()
	for ; most > 0 && len(q.h) > 0; most-- {
		dst = append(dst, q.h[0].id)
		last := q.h[len(q.h)-1]
		q.h = q.h[:len(q.h)-1]
		q.sink(last)
	}
	return dst
}

// sink puts e in the place of the root.
func (q *heapQueue) sink(e entry) {
	i := 0
	for c := 1; c < len(q.h); c = 2*i + 1 {
		if c+1 < len(q.h) && q.h[c+1].bucket < q.h[c].bucket {
			c++
		}
		if q.h[c].bucket >= e.bucket {
			break
		}
		q.h[i] = q.h[c]
		i = c
	}
	if len(q.h) > 0 {
		q.h[i] = e
	}
}

// oneShard is our bucket queue, one for all workers.
type oneShard struct{ s *shard }

func (q oneShard) push(es []entry)                       { q.s.push(es) }
func (q oneShard) pop(dst []trie.ID, most int) []trie.ID { return q.s.pop(dst, most) }

// ownShard is the search's queue as one worker sees it.
type ownShard struct{ w *worker }

func (q ownShard) push(es []entry) { q.w.shard.push(es) }

func (q ownShard) pop(dst []trie.ID, _ int) []trie.ID {
	q.w.batch = q.w.batch[:0]
	q.w.take()
	return append(dst, q.w.batch...)
}

// BenchmarkQueue takes a few prefixes and pushes as many a little worse, as
// expansions do; 100,000 wait all the time.
func BenchmarkQueue(b *testing.B) {
	const total, waiting = 1 << 18, 100_000
	kinds := []struct {
		name string
		make func(g int) []prefixQueue // as each goroutine sees it
	}{
		{"shards", func(g int) (qs []prefixQueue) {
			s := newBareSearch(b, g)
			for i := range g {
				qs = append(qs, ownShard{newWorker(s, i)})
			}
			return qs
		}},
		{"one bucket queue", func(g int) []prefixQueue {
			return slices.Repeat([]prefixQueue{oneShard{newShard(func(int64) bool { return true })}}, g)
		}},
		{"one heap", func(g int) []prefixQueue { return slices.Repeat([]prefixQueue{&heapQueue{}}, g) }},
	}
	for _, kind := range kinds {
		for _, g := range goroutines {
			b.Run(fmt.Sprintf("%s/%d", kind.name, g), func(b *testing.B) {
				qs := kind.make(g)
				for i := range waiting {
					qs[i%g].push([]entry{{trie.ID(i), uint32(i % 1000)}})
				}
				b.ResetTimer()
				for range b.N {
					together(g, func(i int) { churn(qs[i], uint64(i), total/g) })
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/total, "ns/prefix")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// churn moves n prefixes through a queue.
func churn(q prefixQueue, seed uint64, n int) {
	rng := rand.New(rand.NewPCG(seed, 20))
	ids := make([]trie.ID, 0, popMost)
	es := make([]entry, 0, popMost)
	for moved := 0; moved < n; moved += len(ids) {
		ids, es = q.pop(ids[:0], popMost), es[:0]
		for _, id := range ids {
			es = append(es, entry{id, uint32(rng.IntN(8000))})
		}
		q.push(es)
		if len(ids) == 0 {
			runtime.Gosched()
		}
	}
}
