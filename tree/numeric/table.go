package numeric

import (
	"fmt"
	"math"
	"math/bits"

	"parcorels/bitvec"
	"parcorels/loop"
	"parcorels/tree/numeric/ranks"
)

// Table is samples as the search sees them: items, which stand for all samples of one
// class that no column tells apart. Weight that no tree gets right is taken out.
type Table struct {
	Columns int
	Classes int
	Points  int   // samples that some column tells apart
	Total   int64 // weight of all samples
	Base    int64 // weight that every tree gets wrong

	keys   [][]int32 // by column and item: its place in the order of the column, and its class in the last bits
	bits   int       // of a class
	class  []uint16  // by item
	weight []int64   // by item, positive
	sum    int64     // of weight
}

// Items returns the number of items.
func (t *Table) Items() int { return len(t.class) }

// NewTable reduces samples. Places[h][i] is the place of sample i in the order of column h, at
// least 0; equal ranks are never parted. Class[i] is its class, from 0 to classes − 1, and
// weights[i] its weight, which add up to less than 2^62; nil: 1 each. It is an error if there are too many columns or ranks.
func NewTable(places [][]int32, class []uint16, classes int, weights []int64) (*Table, error) {
	if len(places) > MostColumns {
		return nil, fmt.Errorf("a table has %d columns, the limit is %d", len(places), MostColumns)
	}
	x := ranks.Reduce(places, class, classes, weights)
	t := &Table{Columns: len(places), Classes: classes, Points: x.Points, Total: x.Total, Base: x.Base}
	t.class, t.weight, t.sum = x.Class, x.Weight, x.Sum
	t.bits = bits.Len(uint(classes - 1))
	t.keys = make([][]int32, len(places))
	loop.Parallel(len(places), func(h int) {
		keys := make([]int32, len(x.Sample))
		for i, sample := range x.Sample {
			if places[h][sample] > math.MaxInt32>>t.bits {
				return
			}
			keys[i] = places[h][sample]<<t.bits | int32(t.class[i])
		}
		t.keys[h] = keys
	})
	for h, keys := range t.keys {
		if keys == nil {
			return nil, fmt.Errorf("column %d has more than %d ranks, too many for %d classes", h, math.MaxInt32>>t.bits, classes)
		}
	}
	return t, nil
}

// all returns the set of all items, made by so many workers; those of equal ranks are listed by class.
func (t *Table) all(workers int) set {
	s := set{classes: make([]int64, t.Classes), weight: t.sum}
	for i, w := range t.weight {
		s.items = append(s.items, int32(i))
		s.classes[t.class[i]] += w
	}
	if len(s.items) == 0 {
		return s
	}
	byClass := ranks.Sorted(s.items, func(i int32) int32 { return int32(t.class[i]) })
	s.lists = make([][]entry, len(t.keys))
	each(workers, len(t.keys), func(h int) {
		keys := t.keys[h]
		list := make([]entry, len(keys))
		for p, i := range ranks.Sorted(byClass, func(i int32) int32 { return keys[i] >> t.bits }) {
			list[p] = bitvec.NewBinItem(keys[i], i)
		}
		s.lists[h] = list
	})
	return s
}

// each calls body for 0 to n−1 by so many workers.
func each(workers, n int, body func(i int)) {
	loop.ParallelWith(workers, n, func() func(int) { return body })
}
