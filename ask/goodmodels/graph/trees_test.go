package graph

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"parcorels/dataset"
	"parcorels/instance"
	"parcorels/internal/testing/testgen"
	"parcorels/ratio"
	"parcorels/rules"
	treesearch "parcorels/tree/search"
)

// bruteTree is a tree as a text with what it costs.
type bruteTree struct {
	leaf   int // class; −1 of a split
	text   string
	cost   int64
	leaves int
}

// trees returns all trees for rows, of at most so much cost, by going through all. With
// classes more than two, labels are taken modulo.
func (s *smallTable) trees(rows uint32, depth int, most int64, classes int) (list []bruteTree) {
	for c := range classes {
		cost := s.price
		for i := range s.rows {
			if rows>>i&1 == 1 && s.label[i] != c {
				cost += s.unit * s.weight[i]
			}
		}
		if cost <= most {
			list = append(list, bruteTree{c, fmt.Sprint(-1 - c), cost, 1})
		}
	}
	if depth == 0 {
		return list
	}
	for k, c := range s.columns {
		if rows&c == 0 || rows&^c == 0 {
			continue
		}
		with := s.trees(rows&c, depth-1, most-s.price, classes)
		without := s.trees(rows&^c, depth-1, most-s.price, classes)
		for _, a := range with {
			for _, b := range without {
				if a.cost+b.cost > most || a.leaf >= 0 && a.leaf == b.leaf {
					continue
				}
				list = append(list, bruteTree{-1, fmt.Sprint(k, " ", a.text, " ", b.text), a.cost + b.cost, a.leaves + b.leaves})
			}
		}
	}
	return list
}

// treeProblem makes every row a point.
func (s *smallTable) treeProblem(classes, depth int) *Problem {
	p := &Problem{Points: s.rows, Price: s.price, Trees: true, Depth: depth}
	for _, c := range s.columns {
		p.Columns = append(p.Columns, []uint64{uint64(c)})
	}
	for c := range classes {
		loss := make([]int64, s.rows)
		for i := range loss {
			if s.label[i] != c {
				loss[i] = s.unit * s.weight[i]
			}
		}
		p.Loss = append(p.Loss, loss)
	}
	return p
}

// TestTreeCounts compares the numbers of trees with going through all.
func TestTreeCounts(t *testing.T) {
	for seed := range uint64(some(20_000)) {
		s := newSmall(seed, 4)
		rng := rand.New(rand.NewPCG(seed, 9))
		classes, depth := 2+rng.IntN(2), 1+rng.IntN(3)
		for i := range s.label {
			s.label[i] = rng.IntN(classes)
		}
		best := int64(none)
		for _, x := range s.trees(1<<s.rows-1, depth, none, classes) {
			best = min(best, x.cost)
		}
		threshold := s.threshold(rng, best)
		type key struct {
			cost   int64
			leaves int
		}
		want, n := map[key]int64{}, int64(0)
		for _, x := range s.trees(1<<s.rows-1, depth, threshold, classes) {
			want[key{x.cost, x.leaves}]++
			n++
		}
		trees, err := Build(t.Context(), s.treeProblem(classes, depth), threshold, Options{})
		if err != nil {
			t.Fatal(err)
		}
		counts := trees.Count()
		got := counts.Entries()
		if len(got) != len(want) || counts.Models().Int64() != n {
			t.Fatalf("seed %d: %d kinds of trees and %v trees, want %d and %d", seed, len(got), counts.Models(), len(want), n)
		}
		for _, e := range got {
			if w := want[key{e.Objective, e.Size}]; e.Models.Int64() != w {
				t.Fatalf("seed %d: %v trees of %d leaves and cost %d, want %d", seed, e.Models, e.Size, e.Objective, w)
			}
		}
		texts := map[string]int64{}
		for _, x := range s.trees(1<<s.rows-1, depth, threshold, classes) {
			texts[x.text] = x.cost
		}
		for range min(n, 5) {
			tree := counts.Sample(rng)
			text := strings.Trim(fmt.Sprint(tree.Preorder), "[]")
			if cost, ok := texts[text]; !ok || cost != tree.Objective {
				t.Fatalf("seed %d: a sample %q of cost %d, want %d", seed, text, tree.Objective, cost)
			}
		}
	}
}

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
		d, err := dataset.Read(testgen.Data(t, "binary", k.file+".csv.gz"), dataset.Options{})
		if err != nil {
			t.Fatal(err)
		}
		set, err := rules.Mine(t.Context(), d, rules.Options{MaxCard: 1, MinSupport: ratio.New(0, 1)})
		if err != nil {
			t.Fatal(err)
		}
		points, err := instance.PointsFromSet(set)
		if err != nil {
			t.Fatal(err)
		}
		l := ratio.New(1, 100)
		p, err := FromPoints(points, l)
		if err != nil {
			t.Fatal(err)
		}
		p.Trees = true
		r, err := treesearch.Solve(t.Context(), points, treesearch.Options{Lambda: l})
		if err != nil {
			t.Fatal(err)
		}
		threshold := r.Objective + new(big.Int).Div(new(big.Int).Mul(big.NewInt(r.Objective), big.NewInt(k.percent)),
			big.NewInt(100)).Int64()
		start := time.Now()
		trees, err := Build(t.Context(), p, threshold, Options{})
		if err != nil {
			t.Fatal(err)
		}
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
	s := &smallTable{rows: 4, columns: []uint32{0b0011, 0b0101, 0b0110}, label: []int{0, 1, 1, 0}, weight: []int64{1, 1, 1, 1}, unit: 2,
		price: 1}
	threshold := int64(6)
	all := s.trees(1<<s.rows-1, 3, threshold, 2)
	trees, err := Build(t.Context(), s.treeProblem(2, 3), threshold, Options{})
	if err != nil {
		t.Fatal(err)
	}
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
