package oracle

import (
	"fmt"
	"math/bits"
	"slices"
)

// TreeProblem is a decision-tree problem on raw samples: at most 64 of them.
//
// A tree splits on columns and predicts in each leaf the class that weighs most
// there, the smallest one of several. Its objective is the weight of the samples
// that it gets wrong / total weight + λ·leaves, kept as the integer
// Den·errors + Num·Total·leaves. The optimal tree is the smallest in the order
// (objective, leaves, preorder), where a preorder names the column of each split,
// the side with the column first, and a leaf comes before any split.
type TreeProblem struct {
	Columns  [][]bool // Columns[j][i]: column j holds for sample i
	Classes  []int    // Classes[i]: the class of sample i, from 0 to K−1
	K        int
	Weights  []int64 // nil: every sample weighs 1
	Num, Den int64   // λ ≥ 0
	Depth    int     // most splits on a path; negative: no limit
	MinRows  int     // samples of a leaf at least
}

// Tree is a tree in preorder: a column for each split, −1−class for each leaf.
type Tree struct {
	Preorder  []int
	Leaves    int64
	Objective int64
}

// Less reports whether a comes before b.
func (a Tree) Less(b Tree) bool {
	switch {
	case a.Objective != b.Objective:
		return a.Objective < b.Objective
	case a.Leaves != b.Leaves:
		return a.Leaves < b.Leaves
	}
	return slices.CompareFunc(a.Preorder, b.Preorder, func(x, y int) int { return max(x, -1) - max(y, -1) }) < 0
}

// BestTree returns the optimal tree. It tries every column at every set of
// samples that splits can make, once for each number of splits left. A split
// with no sample on one side is left out: the other side alone has the same
// errors and one leaf less.
func (p *TreeProblem) BestTree() (Tree, error) {
	if len(p.Classes) == 0 || len(p.Classes) > 64 {
		return Tree{}, fmt.Errorf("oracle: %d samples, want 1 to 64", len(p.Classes))
	}
	e := treeEnumeration{p: p, known: map[treeSet]Tree{}}
	for j, c := range p.Columns {
		e.columns = append(e.columns, 0)
		for i, x := range c {
			if x {
				e.columns[j] |= 1 << i
			}
		}
	}
	return e.best(treeSet{^uint64(0) >> (64 - len(p.Classes)), p.Depth}), nil
}

type treeSet struct {
	samples uint64
	splits  int // that a path may still have; negative: any number
}

type treeEnumeration struct {
	p       *TreeProblem
	columns []uint64
	known   map[treeSet]Tree
}

func (e *treeEnumeration) best(s treeSet) Tree {
	if t, ok := e.known[s]; ok {
		return t
	}
	best := e.leaf(s.samples)
	for j, c := range e.columns {
		with, without := s.samples&c, s.samples&^c
		if s.splits == 0 || with == 0 || without == 0 || min(bits.OnesCount64(with), bits.OnesCount64(without)) < e.p.MinRows {
			continue
		}
		splits := s.splits - min(1, s.splits+1)
		a, b := e.best(treeSet{with, splits}), e.best(treeSet{without, splits})
		t := Tree{
			Preorder:  append(append([]int{j}, a.Preorder...), b.Preorder...),
			Leaves:    a.Leaves + b.Leaves,
			Objective: a.Objective + b.Objective,
		}
		if t.Less(best) {
			best = t
		}
	}
	e.known[s] = best
	return best
}

func (e *treeEnumeration) leaf(samples uint64) Tree {
	weight := make([]int64, e.p.K)
	var all int64
	for ; samples != 0; samples &= samples - 1 {
		i := bits.TrailingZeros64(samples)
		weight[e.p.Classes[i]] += e.p.Weight(i)
		all += e.p.Weight(i)
	}
	class := 0
	for c, w := range weight {
		if w > weight[class] {
			class = c
		}
	}
	return Tree{[]int{-1 - class}, 1, e.p.Den*(all-weight[class]) + e.p.Num*e.p.Total()}
}

// Weight returns what a sample weighs.
func (p *TreeProblem) Weight(i int) int64 {
	if p.Weights == nil {
		return 1
	}
	return p.Weights[i]
}

// Total returns the weight of all samples.
func (p *TreeProblem) Total() (total int64) {
	for i := range p.Classes {
		total += p.Weight(i)
	}
	return total
}
