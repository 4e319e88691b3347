package family

import (
	"math"

	"parcorels/dataset"
	"parcorels/instance"
	"parcorels/optionerr"
	"parcorels/rules"
	"parcorels/tree/numeric"
)

// Trees over all thresholds whose leaves hold enough rows.
//
// The search over orders of numbers (tree/numeric) and its checker rest on this: a tree for a set of rows serves its subsets. With
// least rows that is not so. So each threshold becomes an antecedent, and the search that counts rows takes them. It is slower,
// and its memory grows by the thresholds times the rows.

// everyCut returns the problem with an antecedent for each threshold, if leaves must hold some rows; else p itself.
func (p *Problem) everyCut(minRows int) (_ *Problem, err error) {
	if p.numbers == nil || minRows <= 1 {
		return p, nil
	}
	with := *p
	if with.Set, err = p.numbers.everyCut(); err == nil {
		with.points, err = instance.PointsWithoutColumns(with.Set)
	}
	return &with, err
}

// everyCut returns the set with an antecedent for each threshold, behind those of other columns: column by column, and where numbers
// are missing ascending, then descending.
func (t *thresholds) everyCut() (*rules.Set, error) {
	cuts, columns := t.cuts()
	if len(columns) > rules.MaxAntecedents {
		return nil, optionerr.Errorf("MinRows", "option MinRows with option Cuts all takes each of %d thresholds as a condition, and "+
			"there may be %d conditions: option Bins 1000, say, has nearly all thresholds", len(cuts), rules.MaxAntecedents)
	}
	return t.set.WithCuts(cuts), nil
}

// cuts returns all thresholds, and the column of t of each antecedent of everyCut.
func (t *thresholds) cuts() (cuts []dataset.Cut, columns []int) {
	columns = make([]int, len(t.set.Antecedents))
	for h, c := range t.columns {
		if c.Numbers < 0 {
			columns[c.Antecedent] = h
			continue
		}
		numbers := &t.set.Data.Numbers[c.Numbers]
		places := numbers.Thresholds()
		if numbers.Missing && !c.Down && len(numbers.Levels) > 0 {
			places++ // in front of the missing ones, which is the same in both orders
		}
		for at := range int32(places) {
			cuts, columns = append(cuts, t.cut(c, numeric.Node{Low: at, High: at + 1})), append(columns, h)
		}
	}
	return cuts, columns
}

// nodes returns a tree on the antecedents of set, which is everyCut, with the ranks beside each split among the samples that come there.
func (t *thresholds) nodes(set *rules.Set, preorder []int) (nodes numeric.Tree) {
	_, columns := t.cuts()
	var walk func(samples []int)
	walk = func(samples []int) {
		antecedent := preorder[len(nodes)]
		if antecedent < 0 {
			nodes = append(nodes, numeric.Node{Column: antecedent})
			return
		}
		n := numeric.Node{Column: columns[antecedent], Low: -1, High: math.MaxInt32}
		ranks, captured := t.columns[n.Column].Ranks(t.set), set.Antecedents[antecedent].Captured()
		var left, right []int
		for _, i := range samples {
			if captured.Test(uint(i)) {
				left, n.Low = append(left, i), max(n.Low, ranks[i])
			} else {
				right, n.High = append(right, i), min(n.High, ranks[i])
			}
		}
		nodes = append(nodes, n)
		walk(left)
		walk(right)
	}
	all := make([]int, set.Data.N)
	for i := range all {
		all[i] = i
	}
	walk(all)
	return nodes
}
