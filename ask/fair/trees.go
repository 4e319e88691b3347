package fair

import (
	"parcorels/ask/goodmodels/graph"
	"parcorels/family"
	"parcorels/model"
)

// Trees within an operating point are those that searches with weights of the classes find. They come with the bound of the
// multipliers (weights.go), which holds for trees as well. It is met only where a tree of the convex hull is best, and there is
// no proof file: all trees between bound and best are too many to be counted.

// bestTree returns the tree of least objective within the limit of those that are known, and its objective.
func (w *weighing) bestTree(found []*family.Model) (best graph.Model, ok bool) {
	for class := range 2 {
		w.better(&best, &ok, []int{-1 - class}, func(int) int { return class })
	}
	for _, m := range found {
		cases := m.Cases()
		w.better(&best, &ok, preorder(m.Antecedents(), cases), func(p int) int { return w.r.PredictsAt(m, p) })
	}
	return best, ok
}

// better takes a tree for the best one if it is within the limit and has a smaller objective.
func (w *weighing) better(best *graph.Model, ok *bool, nodes []int, predicts func(point int) int) {
	var errors, sum int64
	for p, v := range w.sum.Value {
		class := predicts(p)
		errors += w.r.Points.Weights[1-class][p]
		sum += v * int64(class)
	}
	if sum < w.limit.Least || sum > w.limit.Most {
		return
	}
	leaves := int64(len(nodes)+1) / 2
	objective := w.r.Lambda.Den*errors + w.r.Lambda.Num*w.r.Points.Total*leaves
	if !*ok || objective < best.Objective || objective == best.Objective && len(nodes) < len(best.Preorder) {
		*best, *ok = graph.Model{Preorder: nodes, Objective: objective}, true
	}
}

// preorder returns a tree by the antecedents that hold on the way to each leaf, which come in preorder.
func preorder(when [][]int, leaves []model.Case) []int {
	if len(leaves) == 1 {
		return []int{-1 - leaves[0].Class}
	}
	split, depth := when[0][0], 1 // the way to the first leaf has all splits, the root's first
	for depth < len(leaves) && len(when[depth]) > 0 && when[depth][0] == split {
		depth++
	}
	with := make([][]int, depth)
	for i := range with {
		with[i] = when[i][1:]
	}
	return append(append([]int{split}, preorder(with, leaves[:depth])...), preorder(when[depth:], leaves[depth:])...)
}
