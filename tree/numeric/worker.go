package numeric

import (
	"math/bits"

	"parcorels/bitvec"
)

func (s *search) newWorker(index int) *worker {
	w := &worker{search: s, index: index, number: make([]int32, len(s.table.class))}
	k := s.table.Classes
	t := &twoLevel{worker: w, own: &base{}, maxBins: s.o.maxBins, maxCells: s.o.maxCells}
	if t.maxBins == 0 {
		if t.maxBins = 64; k == 2 {
			t.maxBins = 256
			if s.halves(s.table.Columns) { // those cost half as much: depth 3 of htru 1.65 s to 1.15
				t.maxBins = 1024
			}
		}
	}
	t.maxBins = min(t.maxBins, len(s.table.class))
	// All columns with a bin each must fit a histogram.
	groups := (s.table.Columns + 2*lanes - 1) / lanes
	for t.maxBins > 2 && groups*lanes*t.maxBins > mostCells {
		t.maxBins /= 2
	}
	cells := groups * lanes * max(2, t.maxBins)
	t.counts = make([]int64, k)
	switch {
	case s.table.sum <= bitvec.BinMost16:
		t.histograms = newHistograms[int16](t, cells)
	case s.table.sum <= bitvec.BinMost32:
		t.histograms = newHistograms[int32](t, cells)
	case len(s.table.class) <= bitvec.BinMost32/2:
		t.histograms, t.rounds = newRough(t, cells, bits.Len64(uint64(s.table.sum))-29), true
	default:
		t.histograms = newHistograms[int64](t, cells)
	}
	t.open = make([]bin, max(2, t.maxBins)+1)
	t.least = make([]int64, s.table.Columns)
	w.two = t
	return w
}

// halves reports whether so many columns have two lanes each. Numbers of 16 bits fill a vector with all
// lanes, see bitvec.ScanBins.
func (s *search) halves(columns int) bool {
	return 2*columns <= lanes && s.table.sum <= bitvec.BinMost16
}

// countSet counts a set, and ends the run at the limit on them.
func (w *worker) countSet() {
	w.run.MayExpand()
	w.sets.Add(1)
}

// splitAt returns the split of a set behind its first items in the order of a column.
func (w *worker) splitAt(s *set, column, place int) Node {
	list := s.lists[column]
	return Node{column, w.table.rank(list[place-1]), w.table.rank(list[place])}
}
