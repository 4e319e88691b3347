package rulelist

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// drawSamples returns samples of few or many patterns, with weights or without.
func drawSamples(rng *rand.Rand) *samples {
	n := 1 + rng.IntN(1000)
	s := &samples{n: n, labels: drawSet(rng, n, 1+rng.IntN(3))}
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
	s := &samples{n: 128, labels: []uint64{0, ^uint64(0)}}
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

// costs returns by definition, for every antecedent, the costs of the samples
// that satisfy it, but none of those in not, and one of those in or.
func (s *samples) costs(not, or []int) (counts []gains, all gains) {
	patterns := map[string]*gains{}
	satisfied := map[string][]bool{}
	for i := range s.n {
		pattern := make([]bool, len(s.captured))
		for a, c := range s.captured {
			pattern[a] = c[i>>6]>>(i&63)&1 == 1
		}
		key := fmt.Sprint(pattern)
		if patterns[key] == nil {
			patterns[key], satisfied[key] = &gains{}, pattern
		}
		patterns[key][s.label(i)] += s.weight(i)
	}
	counts = make([]gains, len(s.captured))
	for key, g := range patterns {
		in := func(a int) bool { return satisfied[key][a] }
		if slices.ContainsFunc(not, in) || !slices.ContainsFunc(or, in) {
			continue
		}
		for class := range 2 {
			share := max(0, g[class]-g[1-class])
			all[class] += share
			for a := range counts {
				if in(a) {
					counts[a][class] += share
				}
			}
		}
	}
	return counts, all
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
		want, all := s.costs(not, or)
		if got := g.countAnd(a, b); got != all {
			t.Fatalf("seed %d: the set costs %v, not %v", seed, all, got)
		}
		counts := make([]gains, len(want))
		for _, some := range [][]int{g.every, {rng.IntN(len(want))}} {
			for i := range counts {
				counts[i] = gains{-1, -1}
			}
			g.countSome(some, a, b, counts)
			for _, x := range some {
				if counts[x] != want[x] {
					t.Fatalf("seed %d: antecedent %d of %v costs %v, not %v", seed, x, some, want[x], counts[x])
				}
			}
			if len(some) == 1 && len(want) > 1 && counts[(some[0]+1)%len(want)] != (gains{-1, -1}) {
				byLists++
			}
		}
		if g.countLists(a, b, counts); !slices.Equal(counts, want) {
			t.Fatalf("seed %d: %v by lists, not %v", seed, counts, want)
		}
		for _, x := range g.segments {
			if x.share == 0 {
				mixed += x.to - x.from
			} else {
				alike += x.to - x.from
			}
		}
	}
	if byLists < 40 || byLists > 360 || alike < 100 || mixed < 100 {
		t.Errorf("%d times by lists, %d words of one share, %d of several", byLists, alike, mixed)
	}
}
