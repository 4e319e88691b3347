package parallel

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"github.com/puzpuzpuz/xsync/v3"

	"parcorels/bitvec"
)

// The shared structures with the operations that the search makes, from 1 to 16 goroutines; the map
// beside the best of those that one would take off the shelf.

var goroutines = []int{1, 2, 4, 8, 16}

// keyMap is what the search asks of a symmetry map.
type keyMap interface {
	Find(k bitvec.Key) ref
	Offer(k bitvec.Key, r ref, c Claim[ref]) (Outcome, ref)
}

// xsyncMap takes a bucket's lock for each write.
type xsyncMap struct {
	m *xsync.MapOf[bitvec.Key, ref]
}

func newXsyncMap() keyMap {
	return xsyncMap{xsync.NewMapOfWithHasher[bitvec.Key, ref](func(k bitvec.Key, _ uint64) uint64 { return k.Lo })}
}

func (x xsyncMap) Find(k bitvec.Key) ref { r, _ := x.m.Load(k); return r }

func (x xsyncMap) Offer(k bitvec.Key, r ref, c Claim[ref]) (out Outcome, displaced ref) {
	x.m.Compute(k, func(old ref, held bool) (ref, bool) {
		out, displaced = standOff(old, held, c)
		if out == Refused {
			return old, false
		}
		return r, false
	})
	return out, displaced
}

// standOff is contend for one who holds a lock.
func standOff(old ref, held bool, c Claim[ref]) (Outcome, ref) {
	if !held {
		return Entered, 0
	}
	switch c.Against(old) {
	case Loses:
		return Refused, 0
	case Wins:
		return Entered, old
	}
	return Entered, 0
}

var keyMaps = []struct {
	name string
	make func() keyMap
}{
	{"KeyMap", func() keyMap {
		return NewKeyMap[ref](new(Budget))
	}},
	{"xsync.MapOf", newXsyncMap},
}

// BenchmarkKeyMap fills a map from nothing, growth included: each
// operation looks a key up and, if nobody or a larger prefix holds it, offers
// it. Three in ten keys were there before; a tenth of those are improved.
func BenchmarkKeyMap(b *testing.B) {
	const total = 1 << 18
	plan := newMapPlan(total)
	for _, kind := range keyMaps {
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

// BenchmarkKeyMapFind looks up keys in a full map: half of them are there.
func BenchmarkKeyMapFind(b *testing.B) {
	const total = 1 << 18
	plan := newMapPlan(total)
	for _, kind := range keyMaps {
		m := kind.make()
		plan.run(m, 1)
		for _, g := range goroutines {
			b.Run(fmt.Sprintf("%s/%d", kind.name, g), func(b *testing.B) {
				for range b.N {
					together(g, func(i int) {
						for j := i; j < total; j += g {
							k := plan.steps[uint32(j)*0x9e3779b1%total].key // not in the order of insertion
							k.Lo ^= uint64(j & 1)
							m.Find(k)
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
// that want them. A prefix is its cost and one.
type mapPlan struct {
	steps    []mapStep
	distinct int
}

// costClaim prefers the smaller cost.
type costClaim struct{ cost int64 }

func (c *costClaim) Against(held ref) Verdict {
	if c.cost < int64(held)-1 {
		return Wins
	}
	return Loses
}

type mapStep struct {
	key  bitvec.Key
	cost int64
}

func newMapPlan(total int) *mapPlan {
	p := &mapPlan{}
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

func (p *mapPlan) run(m keyMap, goroutines int) {
	together(goroutines, func(i int) {
		c := &costClaim{}
		for j := i; j < len(p.steps); j += goroutines {
			step := &p.steps[j]
			c.cost = step.cost
			if r := m.Find(step.key); r == 0 || c.Against(r) != Loses {
				m.Offer(step.key, ref(step.cost+1), c)
			}
		}
	})
}

// BenchmarkQueue takes a few prefixes and pushes as many a little worse, as
// expansions do; 100,000 wait all the time.
func BenchmarkQueue(b *testing.B) {
	const total, waiting = 1 << 18, 100_000
	for _, g := range goroutines {
		b.Run(fmt.Sprintf("shards/%d", g), func(b *testing.B) {
			q := newTestQueue(g, Levels{})
			for i := range waiting {
				q.Worker(i % g).shard.push([]Entry[node]{{Node: node(i), Bucket: uint32(i % 1000)}})
			}
			b.ResetTimer()
			for range b.N {
				together(g, func(i int) { churn(q.Worker(i), uint64(i), total/g) })
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/total, "ns/prefix")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// churn moves n prefixes through a worker's queue.
func churn(w *Worker[node], seed uint64, n int) {
	rng := rand.New(rand.NewPCG(seed, 20))
	es := make([]Entry[node], 0, popMost)
	for moved := 0; moved < n; moved += len(es) {
		w.batch, es = w.batch[:0], es[:0]
		w.take()
		for _, id := range w.batch {
			es = append(es, Entry[node]{Node: id, Bucket: uint32(rng.IntN(8000))})
		}
		if w.shard.push(es); len(es) == 0 {
			runtime.Gosched()
		}
	}
}
