package parallel

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestLevelsRoundDown: the bound that a level stands for is at most every bound
// in it, and levels are ordered as bounds are.
func TestLevelsRoundDown(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 17))
	p := newBareSearch(t, 1).p
	root := p.rootCost() + p.price
	for _, best := range []int64{0, root, root + 1, root + levels - 1, root + levels, root + 5*levels + 3, 1 << 60} {
		l := newLeveller(p, &solution{objective: best})
		bounds := []int64{root, root + 1, best, best + 1, 2 * max(best, 1), 1 << 61}
		for range 1000 {
			bounds = append(bounds, root+rng.Int64N(2*max(best-root, 1)))
		}
		for _, bound := range bounds {
			if bound < root {
				continue // no prefix has such a bound
			}
			k := l.level(bound)
			if k < 0 || k >= levels {
				t.Fatalf("incumbent %d: bound %d is in level %d of %d", best, bound, k, levels)
			}
			if b := l.bound(k); b > bound || b < root {
				t.Fatalf("incumbent %d: level %d of bound %d stands for %d", best, k, bound, b)
			}
			if k+1 < levels && l.bound(k+1) <= bound {
				t.Fatalf("incumbent %d: bound %d is in level %d although level %d begins at %d", best, bound, k, k+1, l.bound(k+1))
			}
		}
	}
}

// TestBestBound compares with the smallest open bound, prefix by prefix.
func TestBestBound(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 18))
	s := newBareSearch(t, 3)
	root := s.p.rootCost() + s.p.price
	s.leveller = newLeveller(s.p, &solution{objective: root + 50*levels})
	open := map[int64]int{root: 1}
	add(&s.counters[0].levels.inserted[s.leveller.level(root)], 1)
	last := int64(0)
	for range 2000 {
		least := int64(math.MaxInt64)
		for bound := range open {
			least = min(least, bound)
		}
		bound, any := s.leveller.bestBound(s.counters)
		if any != (len(open) > 0) {
			t.Fatalf("%d bounds are open, bestBound says %v", len(open), any)
		}
		if !any {
			return
		}
		if bound > least || bound < last || s.leveller.level(bound) != s.leveller.level(least) {
			t.Fatalf("best bound %d after %d, the smallest open one is %d", bound, last, least)
		}
		last = bound
		// Any worker expands the best prefix; the children may be another's to finish.
		for range rng.IntN(3) {
			child := least + rng.Int64N(4000)
			add(&s.counters[rng.IntN(3)].levels.inserted[s.leveller.level(child)], 1)
			open[child]++
		}
		add(&s.counters[rng.IntN(3)].levels.finished[s.leveller.level(least)], 1)
		if open[least]--; open[least] == 0 {
			delete(open, least)
		}
	}
}
