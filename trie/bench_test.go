package trie

import (
	"fmt"
	"sync"
	"testing"
)

var benchGoroutines = []int{1, 2, 4, 8, 16}

// benchTogether runs f for each of several workers, and reports the time of
// one of the total operations.
func benchTogether(b *testing.B, total int, f func(a *Arena, worker, goroutines int)) {
	for _, g := range benchGoroutines {
		b.Run(fmt.Sprint(g), func(b *testing.B) {
			for range b.N {
				b.StopTimer()
				a := NewArena(g, func(int64) bool { return true })
				b.StartTimer()
				var wg sync.WaitGroup
				for i := range g {
					wg.Go(func() { f(a, i, g) })
				}
				wg.Wait()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(total), "ns/node")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkTrie adds nodes that stay, each below the one before, up to a depth
// of eight.
func BenchmarkTrie(b *testing.B) {
	const total = 1 << 18
	benchTogether(b, total, func(a *Arena, worker, goroutines int) {
		h := a.Handle(worker)
		parent := Root
		for i := range total / goroutines {
			if i%8 == 0 {
				parent = Root
			}
			parent, _ = h.New(parent, i, int64(i), int64(i))
		}
	})
}

// BenchmarkEpochs adds nodes and drops them again, pinned as for an expansion
// of eight, so that all but a few are reused.
func BenchmarkEpochs(b *testing.B) {
	const total, children = 1 << 18, 8
	benchTogether(b, total, func(a *Arena, worker, goroutines int) {
		h := a.Handle(worker)
		var ids [children]ID
		for range total / goroutines / children {
			h.Pin()
			for i := range ids {
				ids[i], _ = h.New(Root, i, 0, 0)
			}
			for _, id := range ids {
				h.Release(id)
			}
			h.Unpin()
		}
	})
}
