package separation

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/internal/testing/testgen"
)

// TestShares compares what the pairs of each level get with the smallest cut between their points, and holds the shares of
// each point within its cost. In many levels that is more than pairs get one after the other.
func TestShares(t *testing.T) {
	more := 0
	for seed := uint64(0); more < 100; seed++ {
		rng := rand.New(rand.NewPCG(seed, 72))
		x := layOut(t, extreme(rng, []testgen.Generator{testgen.Small, testgen.Ties, testgen.Nearly}[seed%3](seed)))
		if x.in.Points < 2 || x.in.Points > 14 || x.in.Antecedents == 0 {
			continue
		}
		r := x.p.NewRoot(1<<30, 1)
		count := make([]int, r.Pool.Len())
		for k := range count {
			count[k] = rng.IntN(3)
		}
		_, shares := r.share(count)
		left := slices.Clone(r.P.cost)
		for rules := range 3 {
			had, greedy, total := slices.Clone(left), int64(0), int64(0)
			next, others := slices.Clone(left), map[Point][]Point{}
			for k, n := range count {
				if n != rules {
					continue
				}
				one, zero := r.Pool.Set(int32(k))[0], r.Pool.Set(int32(k))[1]
				others[one] = append(others[one], zero)
				share := min(next[one], next[zero])
				next[one], next[zero] = next[one]-share, next[zero]-share
				left[one], left[zero] = left[one]-shares[k], left[zero]-shares[k]
				greedy, total = greedy+share, total+shares[k]
				if shares[k] < 0 || left[one] < 0 || left[zero] < 0 {
					t.Fatalf("seed %d: %d and %d share %d, more than they have", seed, one, zero, shares[k])
				}
			}
			if least := smallestCut(had, others); total != least {
				t.Fatalf("seed %d: pairs with %d rules get %d, the smallest cut is %d", seed, rules, total, least)
			}
			if total > greedy {
				more++
			}
		}
	}
}

// smallestCut returns the smallest cut between points of label 1 and the others that pairs join to each, over all sets of the
// former.
func smallestCut(costs []int64, others map[Point][]Point) int64 {
	ones, least := slices.Sorted(maps.Keys(others)), int64(1)<<62
	for sub := range 1 << len(ones) {
		cut, seen := int64(0), map[Point]bool{}
		for i, one := range ones {
			if sub>>i&1 == 0 {
				cut += costs[one]
				continue
			}
			for _, zero := range others[one] {
				if !seen[zero] {
					seen[zero], cut = true, cut+costs[zero]
				}
			}
		}
		least = min(least, cut)
	}
	return least
}
