package bitvec

import (
	"math/rand/v2"
	"testing"
)

func TestCost(t *testing.T) {
	withKernels(t, func(t *testing.T) {
		spaces(t, func(t *testing.T, r *rand.Rand, s *space) {
			p := NewPlanes(s.costs, s.words1)
			for range 6 {
				s.checkCost(t, p, s.set(r), s.set(r), s.set(r))
			}
		})
	})
}

// checkCost holds the costs of sets, and of what they have in common, against
// the sums over single points. What lies in a set beyond its words and in its
// words beyond the points does not count.
func (s *space) checkCost(t *testing.T, p *Planes, a, b, c []uint64) {
	t.Helper()
	notB, bc := make([]uint64, s.words), make([]uint64, s.words)
	for w := range notB {
		notB[w], bc[w] = ^b[w], b[w]&c[w]
	}
	long := func(u []uint64) []uint64 { return append(u[:s.words:s.words], ^uint64(0)) }
	check := func(what string, x, y []uint64) func(g1, g0 int64) {
		want1, want0 := s.meet(x, y)
		return func(g1, g0 int64) {
			t.Helper()
			if g1 != want1 || g0 != want0 {
				t.Fatalf("%s: %s costs %d, %d; want %d, %d\n%v", Kernel(), what, g1, g0, want1, want0, s)
			}
		}
	}
	check("a", a, a)(p.Cost(long(a)))
	check("not b", notB, notB)(p.Cost(notB))
	check("a∩b", a, b)(p.CostAnd(long(a), long(b)))
	check("a\\b", a, notB)(p.CostAndNot(long(a), long(b)))
	check("a∩b∩c", a, bc)(p.CostAnd3(long(a), long(b), long(c)))
}

// TestSumBits adds up numbers by the bits of their masks one after the other.
func TestSumBits(t *testing.T) {
	withKernels(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(6, 4))
		for words := range 20 {
			set, masks, numbers := make([]uint64, words), make([]uint64, 64*words), make([]int32, 64*words)
			var got, want [64]int32
			for i := range set {
				set[i] = r.Uint64() & r.Uint64()
			}
			for i := range masks {
				masks[i], numbers[i] = r.Uint64(), r.Int32N(1<<20)
				for b := range want {
					want[b] += numbers[i] * int32(set[i/64]>>(i%64)&1) * int32(masks[i]>>b&1)
				}
			}
			if SumBits(&got, set, masks, numbers); got != want {
				t.Fatalf("%s: %d words: %d; want %d", Kernel(), words, got, want)
			}
		}
	})
}

// TestCostExtremes uses every bit of the costs: totals just below 2^62 and
// beside them the smallest ones, in sets of fewer words than a vector and more.
func TestCostExtremes(t *testing.T) {
	for _, words := range []int{3, 12} {
		s := &space{words: words, words1: 1, costs: make([]int64, 64*words)}
		s.costs[0], s.costs[1], s.costs[63] = 1<<61+1, 1<<60-1, 1
		s.costs[64], s.costs[130], s.costs[words*64-1] = 1<<46, 1<<46-1, 1<<32-1
		p := NewPlanes(s.costs, s.words1)
		all, r := make([]uint64, words), rand.New(rand.NewPCG(1, 1))
		for w := range all {
			all[w] = ^uint64(0)
		}
		withKernels(t, func(t *testing.T) {
			s.checkCost(t, p, all, all, all)
			s.checkCost(t, p, all, make([]uint64, words), all)
			s.checkCost(t, p, s.set(r), s.set(r), all)
		})
	}
}
