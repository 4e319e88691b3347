package bitvec

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// splitSpace is features over points with a cost for each class.
type splitSpace struct {
	words   int
	costs   [][]int64
	columns [][]uint64
}

func newSplitSpace(r *rand.Rand, words, features, classes int, cost func(*rand.Rand) int64) *splitSpace {
	s := &splitSpace{words: words}
	points := max(1, words*64-r.IntN(64))
	s.costs = make([][]int64, classes)
	for j := range s.costs {
		s.costs[j] = make([]int64, words*64)
	}
	for i := range points {
		right := r.IntN(classes)
		for j := range s.costs {
			if j != right && (classes == 2 || r.IntN(4) > 0) {
				s.costs[j][i] = cost(r)
			}
		}
	}
	for range features {
		c := randomSet(r, words)
		switch r.IntN(6) {
		case 0:
			clear(c)
		case 1:
			c = filled(words)
		case 2:
			if len(s.columns) > 0 {
				c = slices.Clone(s.columns[r.IntN(len(s.columns))])
			}
		}
		for i := points; i < words*64; i++ {
			c[i/64] &^= 1 << (i % 64)
		}
		s.columns = append(s.columns, c)
	}
	return s
}

// splits returns the counts of the space.
func (s *splitSpace) splits() *Splits {
	splits := NewSplits(s.words, len(s.costs), func(word int, gains [][64]int64) {
		for i := range 64 * len(gains) {
			gain, at := &gains[i/64][i%64], 64*word+i%64
			*gain = 0
			for _, c := range s.costs {
				*gain = max(*gain, c[at]-s.costs[i/64][at])
			}
		}
	})
	splits.Take(append(slices.Concat(s.columns...), make([]uint64, s.words)...), len(s.columns))
	return splits
}

func randomSet(r *rand.Rand, words int) []uint64 {
	c := make([]uint64, words)
	dense := r.IntN(4)
	for i := range c {
		c[i] = r.Uint64()
		for range dense {
			c[i] &= r.Uint64()
		}
		if r.IntN(2) == 0 {
			c[i] = ^c[i]
		}
	}
	return c
}

func filled(words int) []uint64 {
	return slices.Repeat([]uint64{^uint64(0)}, words)
}

// leaf returns the cheapest class of the points i with in(i), by definition.
func (s *splitSpace) leaf(u []uint64, in func(i int) bool) int64 {
	best := Far
	for _, costs := range s.costs {
		var sum int64
		for i, c := range costs {
			if holds(u, i) && in(i) {
				sum += c
			}
		}
		best = min(best, sum)
	}
	return best
}

func holds(u []uint64, i int) bool { return u[i/64]>>(i%64)&1 == 1 }

// twoLeaves returns the cheapest of a leaf and all trees of two leaves.
func (s *splitSpace) twoLeaves(u []uint64, in func(i int) bool) int64 {
	best := s.leaf(u, in)
	for _, g := range s.columns {
		with := s.leaf(u, func(i int) bool { return in(i) && holds(g, i) })
		best = min(best, with+s.leaf(u, func(i int) bool { return in(i) && !holds(g, i) }))
	}
	return best
}

// cheapestPart returns the smallest cost as a leaf of the parts with points that single
// features make, that of all if there are none.
func (s *splitSpace) cheapestPart(u []uint64, in func(i int) bool) int64 {
	best := s.leaf(u, in)
	for _, g := range s.columns {
		for _, with := range []bool{true, false} {
			part := func(i int) bool { return in(i) && holds(g, i) == with }
			for i := range s.words * 64 {
				if holds(u, i) && part(i) {
					best = min(best, s.leaf(u, part))
					break
				}
			}
		}
	}
	return best
}

func TestSplitsByDefinition(t *testing.T) {
	withKernels(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(3, 1))
		for name, cost := range costStyles {
			for range 12 {
				s := newSplitSpace(r, 1+r.IntN(4), r.IntN(20), 2+r.IntN(3)*r.IntN(2), cost)
				splits := s.splits()
				count := splits.NewCount()
				for range 3 {
					u := randomSet(r, s.words)
					And(u, u, splits.All())
					checkSplits(t, name, s, splits, count, u)
				}
			}
		}
	})
}

func checkSplits(t *testing.T, name string, s *splitSpace, splits *Splits, count *SplitCount, u []uint64) {
	t.Helper()
	if count.Sums(u, splits.Every()); !count.Pairs(func() bool { return true }) {
		t.Fatal("stopped without being told to")
	}
	all := func(int) bool { return true }
	if want := s.leaf(u, all); count.Leaf != want {
		t.Fatalf("%s: leaf %d, want %d", name, count.Leaf, want)
	}
	if cost, _ := splits.LeafCost(u); cost != count.Leaf {
		t.Fatalf("%s: LeafCost %d, want %d", name, cost, count.Leaf)
	}
	var live []int32
	for f := range s.columns {
		with := func(i int) bool { return holds(s.columns[f], i) }
		without := func(i int) bool { return !with(i) }
		var in, out bool
		for i := range s.words * 64 {
			in, out = in || holds(u, i) && with(i), out || holds(u, i) && without(i)
		}
		if !in || !out {
			continue
		}
		k := len(live)
		live = append(live, int32(f))
		got := [6]int64{count.One1[k], count.One0[k], count.Two1[k], count.Two0[k], count.Cut1[k], count.Cut0[k]}
		want := [6]int64{
			s.leaf(u, with), s.leaf(u, without), s.twoLeaves(u, with), s.twoLeaves(u, without),
			s.cheapestPart(u, with), s.cheapestPart(u, without),
		}
		if got != want {
			t.Fatalf("%s: feature %d of %d: %v, want %v", name, f, len(s.columns), got, want)
		}
	}
	if !slices.Equal(live, count.Live) {
		t.Fatalf("%s: live %v, want %v", name, count.Live, live)
	}
	for i := 0; count.Triples(true) && i < len(live); i += 5 {
		if got, want := count.Three(i), s.deep(u, live, live[i]); got != want {
			t.Fatalf("%s: feature %d of %d: trees of three and four leaves cost %v, want %v", name, live[i], len(live), got, want)
		}
	}
}

// deep returns the least costs of trees of three and four leaves with and without a feature, by definition.
func (s *splitSpace) deep(u []uint64, live []int32, f int32) (least [2][2]int64) {
	for side := range least {
		least[side] = [2]int64{Far, Far}
		for _, g := range live {
			in := func(i int) bool { return holds(s.columns[f], i) == (side == 0) && holds(s.columns[g], i) }
			out := func(i int) bool { return holds(s.columns[f], i) == (side == 0) && !holds(s.columns[g], i) }
			a, b, c, d := s.leaf(u, in), s.leaf(u, out), s.twoLeaves(u, in), s.twoLeaves(u, out)
			l := &least[side]
			*l = [2]int64{min(l[0], a+d, c+b), min(l[1], c+d)}
		}
	}
	return least
}

// TestSplitsKernelsAgree compares kernels on sets too large for the definition.
func TestSplitsKernelsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	for name, cost := range costStyles {
		for _, words := range []int{1, 7, 8, 9, 33} {
			s := newSplitSpace(r, words, 1+r.IntN(90), 2+r.IntN(3), cost)
			splits := s.splits()
			u := randomSet(r, words)
			And(u, u, splits.All())
			var want *SplitCount
			withKernels(t, func(t *testing.T) {
				count := splits.NewCount()
				count.Sums(u, splits.Every())
				count.Pairs(func() bool { return true })
				n := len(count.Live)
				if want == nil {
					want = count
				}
				if !slices.Equal(count.Two1[:n], want.Two1[:n]) || !slices.Equal(count.Two0[:n], want.Two0[:n]) ||
					!slices.Equal(count.Cut1[:n], want.Cut1[:n]) || !slices.Equal(count.Cut0[:n], want.Cut0[:n]) ||
					!slices.Equal(count.One1[:n], want.One1[:n]) || !slices.Equal(count.One0[:n], want.One0[:n]) {
					t.Fatalf("%s, %d words: counts differ from those of the generic kernel", name, words)
				}
			})
		}
	}
}

func TestSplitsStop(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 1))
	s := newSplitSpace(r, 200, 600, 2, costStyles["unit"])
	splits := s.splits()
	count := splits.NewCount()
	asked := 0
	count.Sums(filled(200), splits.Every())
	if count.Pairs(func() bool { asked++; return asked < 2 }) || asked != 2 {
		t.Errorf("asked %d times, and did not stop at the second", asked)
	}
}
