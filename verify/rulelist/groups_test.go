package rulelist

import (
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/verify/framing"
)

// drawSamples returns samples of few or many patterns and two classes or more, with weights or without.
func drawSamples(rng *rand.Rand) *framing.Samples {
	n := 1 + rng.IntN(1000)
	classes := 2 + max(0, rng.IntN(4)-1)
	classOf := make([]int, n)
	for i := range classOf {
		classOf[i] = min(rng.IntN(classes), rng.IntN(2*classes))
	}
	var captured [][]uint64
	for range 1 + rng.IntN(14) {
		captured = append(captured, drawSet(rng, n, 1+rng.IntN(4)))
	}
	weights := make([]int64, n)
	most := max(1, rng.Int64N(6))
	for i := range weights {
		weights[i] = 1 + rng.Int64N(most)
	}
	return &framing.Samples{
		N: n, Classes: classes, Captured: captured,
		Class: func(i int) int { return classOf[i] }, Weight: func(i int) int64 { return weights[i] },
		WeightsAt: func(i int) iter.Seq2[int, int64] { return maps.All(map[int]int64{classOf[i]: weights[i]}) },
	}
}

// halves are 64 samples of either class, all different.
func halves() *framing.Samples {
	s := &framing.Samples{N: 128, Classes: 2, Class: func(i int) int { return i / 64 }, Weight: func(int) int64 { return 1 }}
	s.WeightsAt = func(i int) iter.Seq2[int, int64] { return maps.All(map[int]int64{i / 64: 1}) }
	for a := range 7 {
		set := make([]uint64, 2)
		for i := range s.N {
			set[i>>6] |= uint64(i>>a&1) << (i & 63)
		}
		s.Captured = append(s.Captured, set)
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
func sumsOf(s *framing.Samples, not, or []int) (sums []int64, all []int64) {
	patterns := map[string][]int64{}
	satisfied := map[string][]bool{}
	for i := range s.N {
		pattern := make([]bool, len(s.Captured))
		for a, c := range s.Captured {
			pattern[a] = c[i>>6]>>(i&63)&1 == 1
		}
		key := fmt.Sprint(pattern)
		if patterns[key] == nil {
			patterns[key], satisfied[key] = make([]int64, s.Classes), pattern
		}
		patterns[key][s.Class(i)] += s.Weight(i)
	}
	numbers := 2
	if s.Classes > 2 {
		numbers = 2*s.Classes + 1
	}
	sums, all = make([]int64, len(s.Captured)*numbers), make([]int64, numbers)
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
		if s.Classes > 2 {
			number[s.Classes], number[s.Classes+1+heaviest] = slices.Max(number[:s.Classes]), own
		}
		for i, x := range number {
			all[i] += x
			for a := range s.Captured {
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
	byLists, words, runs := 0, 0, 0
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 1))
		s := drawSamples(rng)
		if seed == 0 {
			s = halves() // a word ends where the class does
		}
		g := newGroups(s)
		not, or := []int{rng.IntN(len(s.Captured))}, []int{rng.IntN(len(s.Captured)), rng.IntN(len(s.Captured))}
		a, b := slices.Clone(g.all), make([]uint64, len(g.all))
		remove(a, a, g.captured[not[0]])
		for k := range b {
			b[k] = g.captured[or[0]][k] | g.captured[or[1]][k]
		}
		want, all := sumsOf(s, not, or)
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
		words, runs = words+len(g.all), runs+len(g.runs)
	}
	if byLists < 40 || byLists > 360 || words < 100 || runs < words+100 {
		t.Errorf("%d times by lists, %d words, %d runs", byLists, words, runs)
	}
}
