package search

import (
	"cmp"
	"slices"

	"parcorels/bitvec"
	"parcorels/instance"
)

// newSplits lays the points out for counting. What a point costs in a leaf of
// class j is the weight of its heaviest class less that of class j: all else is
// an error that no tree avoids. A point that costs nothing in any class is left
// out. Points of one heaviest class stand together, heaviest cost first, so that
// the digits of the costs lie in few words.
func newSplits(p *instance.Points) (s *bitvec.Splits, base int64, points int) {
	type place struct {
		point, class int
		cost         int64
	}
	var order []place
	for i := range p.Count {
		best, least := 0, p.Weights[0][i]
		var all int64
		for c := range p.Classes {
			w := p.Weights[c][i]
			if w > p.Weights[best][i] {
				best = c
			}
			least = min(least, w)
			all += w
		}
		most := p.Weights[best][i]
		base += all - most
		if most > least {
			order = append(order, place{i, best, most - least})
		}
	}
	slices.SortStableFunc(order, func(a, b place) int {
		return cmp.Or(cmp.Compare(b.class, a.class), cmp.Compare(b.cost, a.cost))
	})
	words := (len(order) + 63) / 64
	costs := make([][]int64, p.Classes)
	for c := range costs {
		costs[c] = make([]int64, 64*words)
		for i, o := range order {
			costs[c][i] = p.Weights[o.class][o.point] - p.Weights[c][o.point]
		}
	}
	backing := make([]uint64, len(p.Columns)*words)
	columns := make([][]uint64, len(p.Columns))
	for f, from := range p.Columns {
		columns[f] = backing[f*words : (f+1)*words]
		for i, o := range order {
			columns[f][i/64] |= from[o.point/64] >> (o.point % 64) & 1 << (i % 64)
		}
	}
	return bitvec.NewSplits(columns, costs), base, len(order)
}
