package fair

import (
	"parcorels/ask/goodmodels/graph"
	"parcorels/model"
	"slices"
)

// Trees within an operating point are those that searches with weights of the classes find. They come with the bound of the
// multipliers (weights.go), which holds for trees as well. It is met only where a tree of the convex hull is best, and there is
// no proof file: all trees between bound and best are too many to be counted. So are lists with least rows or directions: the
// searches with weights keep these, and the bound is one of lists that do. The graph knows neither. The first rules of such a list, with
// any default, are such a list as well.

// bestFound returns the model of least objective within the limits of those that are known, and its objective.
func (w *weighing) bestFound() (best graph.Model, err error) {
	err = graph.ErrOutside
	for class := range 2 {
		w.better(&best, &err, []int{-1 - class}, func(int) int { return class })
	}
	for _, m := range w.found {
		nodes := preorder(m.Antecedents(), m.Cases())
		if w.p.Kind() == model.Tree {
			w.better(&best, &err, nodes, func(p int) int { return w.r.PredictsAt(m, p) })
			continue
		}
		for end := 0; end < len(nodes); end += 2 {
			for class := range 2 {
				first := append(slices.Clip(nodes[:end]), -1-class)
				w.better(&best, &err, first, func(p int) int { return w.r.Input.Predicts(first, p) })
			}
		}
	}
	return best, err
}

// better takes a model for the best one, of which there is an error where there is none, if it is within the limits and has a smaller
// objective.
func (w *weighing) better(best *graph.Model, none *error, nodes []int, predicts func(point int) int) {
	errors, sums := int64(0), make([]int64, len(w.limits))
	for p := range w.r.Points.Count {
		class := predicts(p)
		errors += w.r.Points.Weights[1-class][p]
		for k, l := range w.limits {
			sums[k] += l.Value[p] * int64(class)
		}
	}
	for k, l := range w.limits {
		if sums[k] < l.Least || sums[k] > l.Most {
			return
		}
	}
	size := int64(len(nodes)) / 2 // rules, or splits
	if w.p.Kind() == model.Tree {
		size++
	}
	objective := w.r.Lambda.Den*errors + w.r.Lambda.Num*w.r.Points.Total*size
	if *none != nil || objective < best.Objective || objective == best.Objective && len(nodes) < len(best.Preorder) {
		*best, *none = graph.Model{Preorder: nodes, Objective: objective}, nil
	}
}

// preorder returns a model by the antecedents that hold in each case. A tree has its leaves in preorder, and a list is one of which the
// first side of each split is a leaf.
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
