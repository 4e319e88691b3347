package search

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/bayes"
	"parcorels/instance"
	"parcorels/internal/testing/must"
	"parcorels/internal/testing/testgen"
)

// TestPolish: from a random list, the best single change at the first place is found, and
// what comes out at the end has no better neighbour, by lists that are made anew.
func TestPolish(t *testing.T) {
	for seed := range testgen.Seeds(400) {
		r := rand.New(rand.NewPCG(uint64(seed), 12))
		set, prior := drawSet(r, 12, 80)
		pts := must.Get(instance.PointsFromSet(set))(t)
		p := must.Get(newPosterior(pts, bayes.Cardinalities(set), prior, r.IntN(5), 1))(t)
		start := r.Perm(len(p.card))[:r.IntN(1+min(len(p.card), p.most, 6))]
		s := solution{newList(p).set(start, 0), start}
		o := newPolisher(p)
		o.set(&o.list, start, 0)
		for from := range len(start) + 1 {
			o.best = s
			o.tryPlace(start, from)
			want := s
			neighbours(p, start, from, func(rules []int) {
				if n := (solution{newList(p).set(rules, 0), rules}); n.Better(&want) {
					want = solution{n.value, slices.Clone(rules)}
				}
			})
			if o.best.Better(&want) || want.Better(&o.best) {
				t.Fatalf("seed %d: the best change of %v at place %d is %v, want %v", seed, start, from, o.best, want)
			}
		}
		end := newPolisher(p).run(context.Background(), s)
		if end.value != newList(p).set(end.rules, 0) || s.Better(&end) {
			t.Fatalf("seed %d: %v became %v", seed, s, end)
		}
		for from := range len(end.rules) + 1 {
			neighbours(p, end.rules, from, func(rules []int) {
				if n := (solution{newList(p).set(rules, 0), rules}); n.Better(&end) {
					t.Fatalf("seed %d: %v has the better neighbour %v", seed, end, n)
				}
			})
		}
	}
}

// neighbours calls f with every list that differs from rules by one change at a place.
func neighbours(p *posterior, rules []int, from int, f func(rules []int)) {
	for a := range p.card {
		if slices.Contains(rules, a) {
			continue
		}
		if len(rules) < p.most {
			f(slices.Insert(slices.Clone(rules), from, a))
		}
		if from < len(rules) {
			other := slices.Clone(rules)
			other[from] = a
			f(other)
		}
	}
	if from == len(rules) {
		return
	}
	without := slices.Delete(slices.Clone(rules), from, from+1)
	f(without)
	for to := from + 1; to < len(rules); to++ {
		f(slices.Insert(slices.Clone(without), to, rules[from]))
		f(slices.Insert(slices.Delete(slices.Clone(rules), to, to+1), from, rules[to]))
	}
}
