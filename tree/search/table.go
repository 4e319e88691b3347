package search

import (
	"cmp"
	"slices"

	"parcorels/bitvec"
	"parcorels/instance"
	"parcorels/internal/order"
)

// newSplits lays the points out for counting. What a point costs in a leaf of
// class j is the weight of its heaviest class less that of class j: all else is
// an error that no tree avoids. A point that costs nothing in any class is left
// out. Points of one heaviest class stand together, heaviest cost first, so that
// the digits of the costs lie in few words.
//
// A feature that splits these points as an earlier one does, or the other way
// round, is left out: in the order of preorders the earlier one comes first.
// Features has the indices of those that are left.
func newSplits(p *instance.Points) (s *bitvec.Splits, features []int, base int64, points int) {
	type place struct {
		cost         int64
		point, class int32
	}
	places := make([]place, 0, p.Count)
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
			places = append(places, place{most - least, int32(i), int32(best)})
		}
	}
	order.Stable(places, func(a, b place) int {
		return cmp.Or(cmp.Compare(b.class, a.class), cmp.Compare(b.cost, a.cost))
	})
	words := (len(places) + 63) / 64
	costs := make([][]int64, p.Classes)
	for c := range costs {
		costs[c] = make([]int64, 64*words)
		for i, o := range places {
			costs[c][i] = p.Weights[o.class][o.point] - p.Weights[c][o.point]
		}
	}
	backing := make([]uint64, len(p.Columns)*words)
	columns := make([][]uint64, len(p.Columns))
	for f, from := range p.Columns {
		columns[f] = backing[f*words : (f+1)*words]
		for i, o := range places {
			columns[f][i/64] |= from[o.point/64] >> (o.point % 64) & 1 << (i % 64)
		}
	}
	columns, features = distinct(columns, len(places))
	return bitvec.NewSplits(columns, costs), features, base, len(places)
}

// distinct returns the columns that no earlier one equals or complements, and
// that neither hold nor lack all points, with their indices.
func distinct(columns [][]uint64, points int) (left [][]uint64, indices []int) {
	h := bitvec.NewHasher((points + 63) / 64)
	seen := map[bitvec.Key][][]uint64{}
	seen[h.Hash(make([]uint64, (points+63)/64))] = [][]uint64{make([]uint64, (points+63)/64)}
	for f, c := range columns {
		turned := c // its complement when it holds the first point
		if points > 0 && c[0]&1 == 1 {
			turned = complement(c, points)
		}
		k := h.Hash(turned)
		if slices.ContainsFunc(seen[k], func(d []uint64) bool { return slices.Equal(d, turned) }) {
			continue
		}
		seen[k] = append(seen[k], turned)
		left, indices = append(left, c), append(indices, f)
	}
	return left, indices
}

func complement(c []uint64, points int) []uint64 {
	out := make([]uint64, len(c))
	for i := range points {
		out[i/64] |= (^c[i/64] >> (i % 64) & 1) << (i % 64)
	}
	return out
}
