package graph

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// walk returns the class that a tree in preorder predicts for a row, and the antecedents on the way.
func (s *smallTable) walk(preorder []int, row int) (class int, asked []int) {
	for {
		if preorder[0] < 0 {
			return -1 - preorder[0], asked
		}
		asked = append(asked, preorder[0])
		if s.columns[preorder[0]]>>row&1 == 1 {
			preorder = preorder[1:]
			continue
		}
		end := 1
		for open := 1; open > 0; end++ { // the side where the antecedent holds
			if preorder[end] < 0 {
				open--
			} else {
				open++
			}
		}
		preorder = preorder[end:]
	}
}

func preorderOf(text string) (list []int) {
	for _, word := range strings.Fields(text) {
		n, _ := strconv.Atoi(word)
		list = append(list, n)
	}
	return list
}

// sameTable compares a table with the least objective of each property of all trees, and each of its
// trees with its property.
func sameTable(t *testing.T, what string, got *Table, want map[int64]int64, of func(preorder []int) int64) {
	t.Helper()
	found := map[int64]int64{}
	for i := range got.Len() {
		tree := got.At(i)
		found[got.Key(i)[0]] = tree.Objective
		if of(tree.Preorder) != got.Key(i)[0] {
			t.Errorf("%s: tree %v has %v, its place has %v", what, tree.Preorder, of(tree.Preorder), got.Key(i))
		}
	}
	if !maps.Equal(found, want) {
		t.Errorf("%s: %v, want %v", what, found, want)
	}
}

// TestTreeQuestions compares the answers to questions with those of all trees.
func TestTreeQuestions(t *testing.T) {
	for seed := range uint64(some(10_000)) {
		s := newSmall(seed, 4)
		rng := rand.New(rand.NewPCG(seed, 19))
		s.haunt(rng, rng.IntN(4))
		classes, depth, rows := 2+rng.IntN(2), 1+rng.IntN(3), s.rows+s.ghosts
		for i := range s.label {
			s.label[i] = rng.IntN(classes)
		}
		best := int64(none)
		for _, x := range s.trees(1<<s.rows-1, depth, none, classes) {
			best = min(best, x.cost)
		}
		threshold := s.threshold(rng, best)
		predicted := make([][]int64, classes)
		weight := make([]int64, rows)
		for i := range weight {
			weight[i] = int64(10 + i)
		}
		for c := range predicted {
			predicted[c] = make([]int64, rows)
			for i := range predicted[c] {
				predicted[c][i] = rng.Int64N(5) - 2
			}
		}
		by := func(a int) bool { return a%2 == 0 }
		columnOf := func(a int) uint64 { return 1 << (a % 3) }
		sumOf := func(tree []int) (x int64) {
			for i := range rows {
				c, _ := s.walk(tree, i)
				x += predicted[c][i]
			}
			return x
		}
		decidedOf := func(tree []int) (x int64) {
			for i := range rows {
				if _, asked := s.walk(tree, i); slices.ContainsFunc(asked, by) {
					x += weight[i]
				}
			}
			return x
		}
		columnsOf := func(tree []int) (x int64) {
			for _, node := range tree {
				if node >= 0 {
					x |= int64(columnOf(node))
				}
			}
			return x
		}
		sums, decided, columns, only := map[int64]int64{}, map[int64]int64{}, map[int64]int64{}, map[int64]int64{}
		flips := make([][]int64, classes)
		for c := range flips {
			flips[c] = slices.Repeat([]int64{-1}, rows)
		}
		least := func(old, v int64, ok bool) int64 {
			if ok {
				return min(old, v)
			}
			return v
		}
		for _, x := range s.trees(1<<s.rows-1, depth, threshold, classes) {
			tree := preorderOf(x.text)
			old, ok := sums[sumOf(tree)]
			sums[sumOf(tree)] = least(old, x.cost, ok)
			old, ok = decided[decidedOf(tree)]
			decided[decidedOf(tree)] = least(old, x.cost, ok)
			old, ok = columns[columnsOf(tree)]
			columns[columnsOf(tree)] = least(old, x.cost, ok)
			if !slices.ContainsFunc(tree, func(node int) bool { return node >= 0 && !by(node) }) {
				only[x.cost]++
			}
			for i := range rows {
				c, _ := s.walk(tree, i)
				flips[c][i] = least(flips[c][i], x.cost, flips[c][i] >= 0)
			}
		}
		p := s.treeProblem(classes, depth)
		p.Points, p.Ghosts = rows, s.ghosts
		for c := range p.Loss {
			p.Loss[c] = append(p.Loss[c], make([]int64, s.ghosts)...)
		}
		trees, err := Build(t.Context(), p, threshold, Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, _ := trees.Sums(predicted, 1<<20)
		sameTable(t, "sums", got, sums, sumOf)
		got, _ = trees.Decided(by, weight, 1<<20)
		sameTable(t, "decided", got, decided, decidedOf)
		sets, _ := trees.ColumnSets(columnOf, 1<<20)
		sameTable(t, "columns", sets, columns, columnsOf)
		if f := trees.Flips(); fmt.Sprint(f) != fmt.Sprint(flips) {
			t.Errorf("flips %v, want %v", f, flips)
		}
		found, without := map[int64]int64{}, trees.Only(by)
		for _, e := range without.Count().Entries() {
			found[e.Objective] += e.Models.Int64()
		}
		if !maps.Equal(found, only) {
			t.Errorf("trees of some antecedents %v, want %v", found, only)
		}
		if x, ok := without.Smallest(); ok != (len(only) > 0) || ok && x.Objective != slices.Min(slices.Collect(maps.Keys(only))) {
			t.Errorf("the smallest of these is %v, %v, of %v", x, ok, only)
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}
