package separation

import (
	"cmp"
	"runtime"
	"slices"
	"testing"

	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/testgen"
)

// TestFirstPairs compares the first pool, of any number of goroutines, with the nearest
// points by sorting all. Searches that are left before their end leave no goroutine.
func TestFirstPairs(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	before, shared := runtime.NumGoroutine(), false
	for seed := range uint64(3) {
		p := layOut(t, testgen.Noisy(seed)).p
		want := p.pairsBySorting()
		for _, goroutines := range []int{1, 2, 4} {
			p.BeginPairs(goroutines, false).Leave()
			s := p.BeginPairs(goroutines, false)
			shared = shared || goroutines > 2 && len(s.of[1]) > 3*pairBlock
			r := s.Root(1<<40, goroutines)
			if r.Pool.Len() != want.Len() || !slices.Equal(r.Pool.members, want.members) {
				t.Errorf("seed %d: %d goroutines find %d pairs, or others than the %d by sorting", seed, goroutines, r.Pool.Len(),
					want.Len())
			}
		}
	}
	if !shared {
		t.Error("no search was shared by several goroutines")
	}
	cases.Until(func() bool { return runtime.NumGoroutine() <= before })
}

// pairsBySorting returns the pool of the nearest pairs.
func (p *Problem) pairsBySorting() *Pool {
	c, l := p.NewContext(), p.NewPool()
	left := points(c.Left)
	for q := range 2 {
		for _, e := range left {
			if p.label(e) != q {
				continue
			}
			var others []neighbour
			for _, f := range left {
				if p.label(f) != q {
					one, zero := e, f
					if q == 0 {
						one, zero = f, e
					}
					others = append(others, neighbour{p.apart(c, one, zero), f})
				}
			}
			slices.SortFunc(others, func(a, b neighbour) int {
				return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.point, b.point))
			})
			for _, x := range others[:min(nearest, len(others))] {
				l.Add([]Point{e, x.point})
			}
		}
	}
	return l
}
