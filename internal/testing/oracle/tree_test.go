package oracle

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestBestTreeAgainstAllTrees compares BestTree with a list of all trees that a
// depth allows, written down one by one and judged sample by sample.
func TestBestTreeAgainstAllTrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	sizes := map[int64]int{}
	for range 400 {
		p := tinyTree(rng)
		var want Tree
		for i, preorder := range allTrees(len(p.Columns), p.Depth) {
			if tree := p.judge(preorder); i == 0 || tree.Less(want) {
				want = tree
			}
		}
		got, err := p.BestTree()
		if err != nil || !slices.Equal(got.Preorder, want.Preorder) || got.Objective != want.Objective || got.Leaves != want.Leaves {
			t.Fatalf("%+v:\nBestTree() = %+v, %v\nall trees: %+v", p, got, err, want)
		}
		sizes[got.Leaves]++
	}
	if len(sizes) < 4 {
		t.Errorf("leaves of the optimal trees: %v, want 1 to 4 at least", sizes)
	}
}

func tinyTree(rng *rand.Rand) TreeProblem {
	n := 1 + rng.IntN(8)
	p := TreeProblem{K: 2 + rng.IntN(2), Num: rng.Int64N(4), Den: 1 + rng.Int64N(60), Depth: rng.IntN(3)}
	for range rng.IntN(4) {
		c := make([]bool, n)
		for i := range c {
			c[i] = rng.IntN(2) == 1
		}
		p.Columns = append(p.Columns, c)
	}
	for range n {
		p.Classes = append(p.Classes, rng.IntN(p.K))
	}
	if rng.IntN(2) == 1 {
		for range n {
			p.Weights = append(p.Weights, 1+rng.Int64N(4))
		}
	}
	return p
}

// allTrees returns the preorders of all trees, -1 for a leaf.
func allTrees(columns, depth int) [][]int {
	all := [][]int{{-1}}
	if depth == 0 {
		return all
	}
	sides := allTrees(columns, depth-1)
	for j := range columns {
		for _, a := range sides {
			for _, b := range sides {
				all = append(all, slices.Concat([]int{j}, a, b))
			}
		}
	}
	return all
}

// judge sends every sample down the tree and counts.
func (p *TreeProblem) judge(preorder []int) Tree {
	votes := map[int][]int64{}
	for i := range p.Classes {
		leaf := 0
		for preorder[leaf] >= 0 {
			if p.Columns[preorder[leaf]][i] {
				leaf++
			} else {
				leaf = skip(preorder, leaf+1)
			}
		}
		if votes[leaf] == nil {
			votes[leaf] = make([]int64, p.K)
		}
		votes[leaf][p.Classes[i]] += p.Weight(i)
	}
	t := Tree{Preorder: slices.Clone(preorder)}
	for at, f := range preorder {
		if f >= 0 {
			continue
		}
		t.Leaves++
		v := votes[at]
		class := 0
		var sum int64
		for c, w := range v {
			sum += w
			if w > v[class] {
				class = c
			}
		}
		t.Preorder[at] = -1 - class
		if v != nil {
			t.Objective += p.Den * (sum - v[class])
		}
	}
	t.Objective += p.Num * p.Total() * t.Leaves
	return t
}

// skip returns the place behind the tree that begins at a place.
func skip(preorder []int, at int) int {
	if preorder[at] < 0 {
		return at + 1
	}
	return skip(preorder, skip(preorder, at+1))
}
