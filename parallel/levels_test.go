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
	const root = 101
	for _, best := range []int64{0, root, root + 1, root + levelCount - 1, root + levelCount, root + 5*levelCount + 3, 1 << 60} {
		l := NewLevels(root, best)
		bounds := []int64{root, root + 1, best, best + 1, 2 * max(best, 1), 1 << 61}
		for range 1000 {
			bounds = append(bounds, root+rng.Int64N(2*max(best-root, 1)))
		}
		for _, bound := range bounds {
			if bound < root {
				continue // no node has such a bound
			}
			k := l.level(bound)
			if k < 0 || k >= levelCount {
				t.Fatalf("incumbent %d: bound %d is in level %d of %d", best, bound, k, levelCount)
			}
			if b := l.bound(k); b > bound || b < root {
				t.Fatalf("incumbent %d: level %d of bound %d stands for %d", best, k, bound, b)
			}
			if k+1 < levelCount && l.bound(k+1) <= bound {
				t.Fatalf("incumbent %d: bound %d is in level %d although level %d begins at %d", best, bound, k, k+1, l.bound(k+1))
			}
		}
	}
}

// TestBestBound compares with the smallest open bound, node by node.
func TestBestBound(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 18))
	const root = 101
	q := newTestQueue(3, NewLevels(root, root+50*levelCount))
	open := map[int64]int{root: 1}
	q.Worker(0).Opened(0, root)
	last := int64(0)
	for range 2000 {
		least := int64(math.MaxInt64)
		for bound := range open {
			least = min(least, bound)
		}
		bound, any := q.BestBound()
		if any != (len(open) > 0) {
			t.Fatalf("%d bounds are open, bestBound says %v", len(open), any)
		}
		if !any {
			return
		}
		if bound > least || bound < last || q.levels.level(bound) != q.levels.level(least) {
			t.Fatalf("best bound %d after %d, the smallest open one is %d", bound, last, least)
		}
		last = bound
		// Any worker expands the best node; the children may be another's to finish.
		for range rng.IntN(3) {
			child := least + rng.Int64N(4000)
			q.Worker(rng.IntN(3)).Opened(1, child)
			open[child]++
		}
		q.Worker(rng.IntN(3)).Finished(least)
		if open[least]--; open[least] == 0 {
			delete(open, least)
		}
	}
}

// newTestQueue returns the queue of a run without limits.
func newTestQueue(workers int, l Levels) *Queue[node] {
	return NewQueue[node](NewRun(Limits{Workers: workers}), l, 32, func(int64) bool { return true })
}

type node uint32

// number is the simplest of solutions.
type number int64

func (n number) Better(than *number) bool { return n < *than }
