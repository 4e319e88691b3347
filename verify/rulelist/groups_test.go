package rulelist

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// drawSamples returns samples of few or many patterns and two classes or more, with weights or without.
func drawSamples(rng *rand.Rand) *samples {
	n := 1 + rng.IntN(1000)
	s := &samples{n: n, classes: 2 + max(0, rng.IntN(4)-1)}
	if s.classes == 2 {
		s.labels = drawSet(rng, n, 1+rng.IntN(3))
	} else {
		for range n {
			s.classOf = append(s.classOf, uint16(min(rng.IntN(s.classes), rng.IntN(2*s.classes))))
		}
	}
	for range 1 + rng.IntN(14) {
		s.captured = append(s.captured, drawSet(rng, n, 1+rng.IntN(4)))
	}
	if most := rng.Int64N(6); most > 1 {
		s.weights = make([]int64, n)
		for i := range s.weights {
			s.weights[i] = 1 + rng.Int64N(most)
		}
	}
	return s
}

// halves are 64 samples of either class, all different.
func halves() *samples {
	s := &samples{n: 128, classes: 2, labels: []uint64{0, ^uint64(0)}}
	for a := range 7 {
		set := make([]uint64, 2)
		for i := range s.n {
			set[i>>6] |= uint64(i>>a&1) << (i & 63)
		}
		s.captured = append(s.captured, set)
	}
	return s
}

// drawSet returns a set of one thing in so many.
func drawSet(rng *rand.Rand, n, one int) []uint64 {
	set := make([]uint64, (n+63)/64)
	for i := range n {
		if rng.IntN(one) == 0 {
			set[i>>6] |= 1 << (i & 63)
		}
	}
	return set
}

// sums returns by definition, for every antecedent, the sum of the samples
// that satisfy it, but none of those in not, and one of those in or.
func (s *samples) sums(not, or []int) (sums []int64, all []int64) {
	patterns := map[string][]int64{}
	satisfied := map[string][]bool{}
	for i := range s.n {
		pattern := make([]bool, len(s.captured))
		for a, c := range s.captured {
			pattern[a] = c[i>>6]>>(i&63)&1 == 1
		}
		key := fmt.Sprint(pattern)
		if patterns[key] == nil {
			patterns[key], satisfied[key] = make([]int64, s.classes), pattern
		}
		patterns[key][s.label(i)] += s.weight(i)
	}
	numbers := 2
	if s.classes > 2 {
		numbers = 2*s.classes + 1
	}
	sums, all = make([]int64, len(s.captured)*numbers), make([]int64, numbers)
	for key, w := range patterns {
		in := func(a int) bool { return satisfied[key][a] }
		if slices.ContainsFunc(not, in) || !slices.ContainsFunc(or, in) {
			continue
		}
		heaviest := slices.Index(w, slices.Max(w))
		number := make([]int64, numbers)
		own := slices.Max(w)
		for c, x := range w {
			number[c] = w[heaviest] - x
			if c != heaviest {
				own = min(own, number[c])
			}
		}
		if s.classes > 2 {
			number[s.classes], number[s.classes+1+heaviest] = slices.Max(number[:s.classes]), own
		}
		for i, x := range number {
			all[i] += x
			for a := range s.captured {
				if in(a) {
					sums[a*numbers+i] += x
				}
			}
		}
	}
	return sums, all
}

// TestCounts holds counts over groups, by either way, against the definition.
func TestCounts(t *testing.T) {
	byLists, alike, mixed := 0, 0, 0
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 1))
		s := drawSamples(rng)
		if seed == 0 {
			s = halves() // a word ends where the class does
		}
		g := newGroups(s)
		not, or := []int{rng.IntN(len(s.captured))}, []int{rng.IntN(len(s.captured)), rng.IntN(len(s.captured))}
		a, b := slices.Clone(g.all), make([]uint64, len(g.all))
		remove(a, a, g.captured[not[0]])
		for k := range b {
			b[k] = g.captured[or[0]][k] | g.captured[or[1]][k]
		}
		want, all := s.sums(not, or)
		if got := g.countAnd(make([]int64, len(all)), a, b); !slices.Equal(got, all) {
			t.Fatalf("seed %d: the sum of the set is %v, not %v", seed, got, all)
		}
		untouched := slices.Repeat([]int64{-1}, len(all))
		sums := make([]int64, len(want))
		for _, some := range [][]int{g.every, {rng.IntN(len(g.every))}} {
			copy(sums, slices.Repeat(untouched, len(g.every)))
			g.countSome(some, a, b, sums)
			for _, x := range some {
				if !slices.Equal(g.at(sums, x), g.at(want, x)) {
					t.Fatalf("seed %d: the sum of antecedent %d of %v is %v, not %v", seed, x, some, g.at(sums, x), g.at(want, x))
				}
			}
			if len(some) == 1 && len(g.every) > 1 && !slices.Equal(g.at(sums, (some[0]+1)%len(g.every)), untouched) {
				byLists++
			}
		}
		if g.countLists(a, b, sums); !slices.Equal(sums, want) {
			t.Fatalf("seed %d: %v by lists, not %v", seed, sums, want)
		}
		for _, x := range g.segments {
			if x.losses == nil {
				mixed += x.to - x.from
			} else {
				alike += x.to - x.from
			}
		}
	}
	if byLists < 40 || byLists > 360 || alike < 40 || mixed < 100 {
		t.Errorf("%d times by lists, %d words of groups alike, %d of others", byLists, alike, mixed)
	}
}
