package numeric

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"parcorels/bitvec"
	"parcorels/internal/loop"
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
// weights[i] its weight; nil: 1 each. It is an error if lengths disagree or the weights add up to
// 2^62 or more.
//
// Samples of equal ranks reach the same leaf. So if each class has a weight of at least w
// among them, every leaf gets (classes − 1)·w of that wrong and w of it right: it is taken out,
// and added to Base. No class is better or worse for it.
func NewTable(places [][]int32, class []uint16, classes int, weights []int64) (*Table, error) {
	n := len(class)
	if n == 0 || n > math.MaxInt32 {
		return nil, errors.New("a table has 1 to 2^31-1 samples")
	}
	if len(places) > MostColumns {
		return nil, fmt.Errorf("a table has %d columns, the limit is %d", len(places), MostColumns)
	}
	for h, r := range places {
		if len(r) != n {
			return nil, fmt.Errorf("column %d has %d ranks for %d samples", h, len(r), n)
		}
	}
	if weights != nil && len(weights) != n {
		return nil, fmt.Errorf("there are %d weights for %d samples", len(weights), n)
	}
	t := &Table{Columns: len(places), Classes: classes}
	point, first := ranks.Points(places, n)
	t.Points = len(first)
	byClass := make([]int64, len(first)*classes)
	for i, c := range class {
		w := int64(1)
		if weights != nil {
			w = weights[i]
		}
		if int(c) >= classes || w <= 0 || w > math.MaxInt64/2-t.Total {
			return nil, fmt.Errorf("sample %d has class %d of %d and weight %d", i, c, classes, w)
		}
		t.Total += w
		byClass[int(point[i])*classes+int(c)] += w
	}
	var at []int32 // a sample of each item
	for p, sample := range first {
		w := byClass[p*classes : (p+1)*classes]
		least := slices.Min(w)
		t.Base += least * int64(classes-1)
		for c, x := range w {
			if x > least {
				at = append(at, sample)
				t.class, t.weight = append(t.class, uint16(c)), append(t.weight, x-least)
				t.sum += x - least
			}
		}
	}
	if t.sum <= int64(len(at)+len(at)/8) { // items that weigh 1 are counted faster
		at = t.parted(at)
	}
	t.bits = bits.Len(uint(classes - 1))
	t.keys = make([][]int32, len(places))
	loop.Parallel(len(places), func(h int) {
		keys := make([]int32, len(at))
		for i, sample := range at {
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

// parted makes items of weight 1, as many as all weigh.
func (t *Table) parted(at []int32) []int32 {
	var parts []int32
	class := t.class
	t.class = nil
	for i, w := range t.weight {
		parts = append(parts, slices.Repeat(at[i:i+1], int(w))...)
		t.class = append(t.class, slices.Repeat(class[i:i+1], int(w))...)
	}
	t.weight = slices.Repeat([]int64{1}, len(parts))
	return parts
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
