package graph

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"parcorels/internal/testing/must"
	"parcorels/internal/testing/testgen"
	"parcorels/ratio"
	"parcorels/rules"
	treesearch "parcorels/tree/search"
)

// TestKnownTrees compares with what an independent program found.
func TestKnownTrees(t *testing.T) {
	for _, k := range []struct {
		file    string
		percent int64
		trees   string
	}{
		{"compas-binary", 1, "9"}, {"compas-binary", 5, "1703"}, {"compas-binary", 10, "708663"},
		{"monk1-train", 10, "24"}, {"monk3-train", 2, "72"}, {"car-evaluation", 1, "48"},
	} {
		set := testgen.Published(t, rules.Options{MaxCard: 1, MinSupport: ratio.New(0, 1)}, "binary", k.file+".csv.gz")
		points := testgen.Points(t, set)
		l := ratio.New(1, 100)
		p := must.Get(FromPoints(points, l))(t)
		p.Trees = true
		r := must.Get(treesearch.Solve(t.Context(), points, treesearch.Options{Lambda: l}))(t)
		threshold := r.Objective + new(big.Int).Div(new(big.Int).Mul(big.NewInt(r.Objective), big.NewInt(k.percent)),
			big.NewInt(100)).Int64()
		start := time.Now()
		trees := must.Get(Build(t.Context(), p, threshold, Options{}))(t)
		built := time.Since(start)
		n := trees.Count().Models().String()
		t.Logf("%s %d%%: %d sets, %s trees, built in %v, counted in %v", k.file, k.percent, trees.States(), n, built,
			time.Since(start)-built)
		if least, _ := trees.Least(); n != k.trees || least != r.Objective {
			t.Errorf("%s %d%%: %s trees from %d on, want %s from %d on", k.file, k.percent, n, least, k.trees, r.Objective)
		}
	}
}

// TestTreeSamples asks that all trees are drawn about equally often.
func TestTreeSamples(t *testing.T) {
	s := &smallTable{rows: 4, classes: 2, columns: []uint32{0b0011, 0b0101, 0b0110}, label: []int{0, 1, 1, 0},
		weight: []int64{1, 1, 1, 1}, unit: 2, price: 1, trees: true, depth: 3}
	threshold := int64(6)
	all := s.models(threshold)
	trees := must.Get(Build(t.Context(), s.problem(), threshold, Options{}))(t)
	counts, rng, drawn := trees.Count(), rand.New(rand.NewPCG(1, 2)), map[string]int{}
	const each = 200
	for range each * len(all) {
		drawn[fmt.Sprint(counts.Sample(rng).Preorder)]++
	}
	if len(drawn) != len(all) {
		t.Errorf("%d trees were drawn, want %d", len(drawn), len(all))
	}
	for tree, n := range drawn {
		if n < each/2 || n > 2*each {
			t.Errorf("tree %s was drawn %d times, want about %d", tree, n, each)
		}
	}
}

// TestTreeTime: an attempt leaves time for one within a smaller threshold.
func TestTreeTime(t *testing.T) {
	s := newSmall(1, 4)
	s.trees = true
	b := must.Get(newBuilder(t.Context(), s.problem(), Options{Time: time.Hour}))(t)
	_ = b.staged(0, func() error {
		if end, ok := b.ctx.Deadline(); !ok || end.Sub(b.start) > 40*time.Minute {
			t.Errorf("an attempt may take %v of an hour", end.Sub(b.start))
		}
		return nil
	})
}
