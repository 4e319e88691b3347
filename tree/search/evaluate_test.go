package search

import (
	"parcorels/instance"
	"parcorels/ratio"
)

// objectiveOf sends every point down a tree and counts, times Den·Total.
func objectiveOf(p *instance.Points, tree Tree, lambda ratio.Ratio) int64 {
	var errors, leaves int64
	for i := range p.Count {
		at := 0
		for tree[at] >= 0 {
			if p.Columns[tree[at]][i/64]>>(i%64)&1 == 1 {
				at++
			} else {
				at = end(tree, at+1)
			}
		}
		for c := range p.Classes {
			if c != -1-tree[at] {
				errors += p.Weights[c][i]
			}
		}
	}
	for _, x := range tree {
		if x < 0 {
			leaves++
		}
	}
	return lambda.Den*errors + lambda.Num*p.Total*leaves
}

// end returns the place behind the tree that begins at a place.
func end(tree Tree, at int) int {
	if tree[at] < 0 {
		return at + 1
	}
	return end(tree, end(tree, at+1))
}
