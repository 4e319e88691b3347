package numeric

import (
	"math"

	"parcorels/tree/price"
)

// The best tree of one split (a stump) of a set. Only a place with different classes beside
// it can be better than those around (Fayyad and Irani, IJCAI 1993), but looking at all places
// costs as much as telling them apart.

// stump returns the value of the best tree of two leaves and its split: of equal ones the
// first column, and there the first place. It is price.Far of a set that no column parts.
func (w *worker) stump(s *set) (value int64, column, place int) {
	value = price.Far
	left, right := make([]int64, w.table.Classes), make([]int64, w.table.Classes)
	for h, list := range s.lists {
		before := int32(-1)
		clear(left)
		copy(right, s.classes)
		for i, e := range list {
			if rank := w.table.rank(e); rank != before {
				before = rank
				if v := w.Two(s.weight - most(left) - most(right)); i > 0 && v < value {
					value, column, place = v, h, i
				}
			}
			c, x := w.table.classOf(e), w.weightOf(s, e)
			left[c] += x
			right[c] -= x
		}
	}
	return value, column, place
}

func most(weights []int64) int64 {
	m := int64(math.MinInt64)
	for _, x := range weights {
		m = max(m, x)
	}
	return m
}
