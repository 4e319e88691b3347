package cuts

import (
	"cmp"
	"slices"

	"parcorels/internal/loop"
)

// Histograms over samples take most of the time, so the bins of the samples are
// laid out for them. A column that no split can use is left out, and bins that no
// split tells apart are one. Columns of few bins share a slot, a number below
// 256 that stands for one bin of each. Eight slots of a sample are the bytes of
// one word: a load, and the addresses of eight sums do not wait for one another.

// newTable lays out the samples for splits at the cuts that are allowed: by the bins of the columns, or by a table of
// more cuts. It lets go of either as it goes, as they take as much memory as the table.
func (e *ensemble) newTable(old *table) *table {
	t := &table{}
	for c := range e.columns {
		v := e.newView(c)
		if len(v.cuts) > 0 || v.tried > v.ordered {
			v.first = t.bins
			t.bins += v.n
			t.views = append(t.views, v)
		}
	}
	t.share(max(2, min(slotSize, len(e.labels)/slotShare)))
	blocks := (len(e.labels) + blockRows - 1) >> blockBits
	t.tiles = make([][][]uint64, (len(t.slots)+lanes-1)/lanes)
	for k := range t.tiles {
		if t.used(k) <= lanes/2 {
			t.tail = make([][]uint32, blocks)
		} else {
			t.tiles[k] = make([][]uint64, blocks)
		}
	}
	if old != nil {
		loop.Parallel(blocks, func(b int) {
			for k := range t.tiles {
				e.makeTile(t, old, k, b)
			}
			old.release(b)
		})
		return t
	}
	loop.Parallel(len(t.tiles), func(k int) {
		for b := range blocks {
			e.makeTile(t, nil, k, b)
		}
		for i := range t.views {
			if v := &t.views[i]; v.slot/lanes == k {
				e.columns[v.column].Bins = nil
			}
		}
	})
	return t
}

// release lets go of a block.
func (t *table) release(block int) {
	for _, words := range t.tiles {
		if words != nil {
			words[block] = nil
		}
	}
	if t.tail != nil {
		t.tail[block] = nil
	}
}

// newView puts bins together between which no cut is allowed, and categories
// that weigh too little to be a leaf.
func (e *ensemble) newView(c int) view {
	column := e.columns[c]
	v := view{column: c, of: make([]uint8, column.N)}
	for b := range column.Ordered {
		v.of[b] = uint8(v.n)
		if b < column.Ordered-1 && !e.allowed[c][b] {
			continue
		}
		if v.n++; b < column.Ordered-1 {
			v.cuts = append(v.cuts, int32(b))
		}
	}
	v.ordered, v.tried = v.n, v.n
	light := false
	for b := column.Ordered; b < column.N; b++ {
		if w := sum(e.classes[c][b]); w*leafShare >= e.total {
			v.of[b] = uint8(v.tried)
			v.tried++
		} else {
			light = light || w > 0
		}
	}
	v.n = v.tried
	for b := column.Ordered; b < column.N; b++ {
		if sum(e.classes[c][b])*leafShare < e.total {
			v.of[b] = uint8(v.tried)
		}
	}
	if light {
		v.n++
	}
	return v
}

// share gives views their slots: those of few bins come first and share one as
// long as it has at most size values.
func (t *table) share(size int) {
	order := make([]int, len(t.views))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(t.views[x].n, t.views[y].n) })
	for _, i := range order {
		v := &t.views[i]
		if k := len(t.slots) - 1; k < 0 || t.slots[k].n*v.n > size {
			t.slots = append(t.slots, slot{n: 1})
		}
		s := &t.slots[len(t.slots)-1]
		v.slot, v.stride = len(t.slots)-1, s.n
		s.n *= v.n
		s.views = append(s.views, i)
	}
	for k := range t.slots {
		s := &t.slots[k]
		s.bins = make([][slotSize]uint8, len(s.views))
		for j, i := range s.views {
			for x := range s.n {
				s.bins[j][x] = uint8(x / t.views[i].stride % t.views[i].n)
			}
		}
	}
}

// makeTile makes a tile of a block.
func (e *ensemble) makeTile(t, old *table, k, block int) {
	rows := min(blockRows, len(e.labels)-block<<blockBits)
	if t.tiles[k] == nil {
		t.tail[block] = makeWords[uint32](e, t, old, k, block, rows)
	} else {
		t.tiles[k][block] = makeWords[uint64](e, t, old, k, block, rows)
	}
}

func makeWords[word uint32 | uint64](e *ensemble, t, old *table, k, block, rows int) []word {
	words := make([]word, rows)
	for i := range t.views {
		v := &t.views[i]
		if v.slot/lanes != k {
			continue
		}
		var add [slotSize]word
		value := func(bin uint8) word { return word(int(bin)*v.stride) << (8 * (v.slot % lanes)) }
		if old == nil {
			for b, bin := range v.of {
				add[b] = value(bin)
			}
			for i, b := range e.columns[v.column].Bins[block<<blockBits:][:rows] {
				words[i] += add[b]
			}
			continue
		}
		before := old.viewOf(v.column)
		var now [slotSize]uint8 // by bin of the old view
		for b, bin := range before.of {
			now[bin] = v.of[b]
		}
		bins := old.binsOf(before)
		for x := range add {
			add[x] = value(now[bins[x]])
		}
		shift := 8 * (before.slot % lanes)
		if from := old.tiles[before.slot/lanes]; from != nil {
			addSlot(words, from[block], shift, &add)
		} else {
			addSlot(words, old.tail[block], shift, &add)
		}
	}
	return words
}

// addSlot adds to words what add says of the slot of other words.
func addSlot[word, other uint32 | uint64](words []word, from []other, shift int, add *[slotSize]word) {
	for i, w := range from {
		words[i] += add[uint8(uint64(w)>>(shift&63))]
	}
}
