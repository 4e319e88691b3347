package cuts

import (
	"sync"

	"parcorels/internal/loop"
)

// Without weights, residual and number of the samples of a bin are summed in one
// addition: a sample's value is its residual times 2^countBits, plus 1. The
// low bits of a sum are the number of samples then, and the rest the sum of
// their residuals r. Neither leaves its bits in a chunk of rows: a step towards
// the mean of a leaf makes the sum of r² less, so that it is never more than
// n·2^32 for n samples, and |Σ r| over 2^15 of them at most √(2^15·n)·2^16, which
// is less than 2^39 for n < 2^31.
const (
	countBits = 24
	countMask = 1<<countBits - 1
)

// lane are the sums of a slot by value.
type lane [slotSize]int64

// histograms writes the sums of each bin of each view over rows to all.
func (e *ensemble) histograms(all []sums, rows *rowSpan) { e.overRuns(rows, all, rows, nil) }

// overRuns does what first says to each block of a node, and then writes the
// sums of each bin of each view over rows, which are of the node, to all.
// Integers add up to the same in any order, so that all processors share the
// blocks.
func (e *ensemble) overRuns(n *rowSpan, all []sums, rows *rowSpan, first func(block int, spare *[blockRows]uint16)) {
	clear(all)
	ends := n.runs()
	locks := make([]sync.Mutex, len(e.table.tiles)) // of the sums of each tile
	task := func(k int) {
		begin := 0
		if k > 0 {
			begin = ends[k-1]
		}
		if first != nil {
			spare := spareRows.Get().(*[blockRows]uint16)
			for b := begin; b < ends[k]; b++ {
				first(b, spare)
			}
			spareRows.Put(spare)
		}
		for tile := range e.table.tiles {
			e.sumTile(all, tile, rows, begin, ends[k], &locks[tile])
		}
	}
	if n.count*len(e.table.slots) < littleWork || len(ends) == 1 {
		for k := range ends {
			task(k)
		}
		return
	}
	loop.Parallel(len(ends), task)
}

// sumTile adds the sums of the slots of a tile over the samples of a node in some
// blocks to all, those of at most chunkRows samples at a time.
func (e *ensemble) sumTile(all []sums, tile int, rows *rowSpan, begin, end int, lock *sync.Mutex) {
	var r, w [lanes]lane
	used, summed := e.table.used(tile), 0
	add := func() {
		lock.Lock()
		defer lock.Unlock()
		if e.weights == nil {
			e.table.spreadPacked(all, tile, &r)
		} else {
			e.table.spread(all, tile, &r, &w)
		}
	}
	for b := begin; b < end; b++ {
		at, part := b<<blockBits, e.rowsOf(rows, b)
		if summed += len(part); summed > chunkRows {
			add()
			clear(r[:used])
			clear(w[:used])
			summed = len(part)
		}
		words := e.table.tiles[tile]
		switch residuals := e.residuals[at:]; {
		case e.weights == nil && words == nil:
			addTail(&r, e.table.tail[b], part, residuals)
		case e.weights == nil:
			addRows(&r, words[b], part, residuals)
		case words == nil:
			addWeighted(&r, &w, e.table.tail[b], part, residuals, e.weights[at:])
		default:
			addWeighted(&r, &w, words[b], part, residuals, e.weights[at:])
		}
	}
	add()
}

// littleWork is how many steps are not worth another goroutine.
const littleWork = 1 << 15

// spreadPacked adds the sums of a tile's slots, each with the number of samples in
// its low bits, to those of the bins.
func (t *table) spreadPacked(all []sums, tile int, h *[lanes]lane) {
	for lane := range t.used(tile) {
		s := &t.slots[tile*lanes+lane]
		for j, i := range s.views {
			v := &t.views[i]
			bins, of := all[v.first:v.first+v.n], &s.bins[j]
			for x, packed := range h[lane][:s.n] {
				to := &bins[of[x]]
				to.residual += packed >> countBits
				to.weight += packed & countMask
			}
		}
	}
}

// spread adds the sums of a tile's slots to those of the bins.
func (t *table) spread(all []sums, tile int, r, w *[lanes]lane) {
	for lane := range t.used(tile) {
		s := &t.slots[tile*lanes+lane]
		for j, i := range s.views {
			v := &t.views[i]
			bins := all[v.first : v.first+v.n]
			of := &s.bins[j]
			for x := range s.n {
				to := &bins[of[x]]
				to.residual += r[lane][x]
				to.weight += w[lane][x]
			}
		}
	}
}

// addRows adds the residuals of rows, each with a 1 in the low bits, to the sums of
// their slots.
func addRows(h *[lanes]lane, words []uint64, rows []uint16, residuals []int32) {
	for _, i := range rows {
		w, v := words[i], int64(residuals[i])<<countBits+1
		h[0][uint8(w)] += v
		h[1][uint8(w>>8)] += v
		h[2][uint8(w>>16)] += v
		h[3][uint8(w>>24)] += v
		h[4][uint8(w>>32)] += v
		h[5][uint8(w>>40)] += v
		h[6][uint8(w>>48)] += v
		h[7][uint8(w>>56)] += v
	}
}

// addTail is addRows of the half words of the last tile.
func addTail(h *[lanes]lane, words []uint32, rows []uint16, residuals []int32) {
	for _, i := range rows {
		w, v := words[i], int64(residuals[i])<<countBits+1
		h[0][uint8(w)] += v
		h[1][uint8(w>>8)] += v
		h[2][uint8(w>>16)] += v
		h[3][uint8(w>>24)] += v
	}
}

// addWeighted adds the weighted residuals of rows to r and their weights to w.
func addWeighted[word uint32 | uint64](r, w *[lanes]lane, words []word, rows []uint16, residuals []int32, weights []int64) {
	for _, i := range rows {
		x, weight := uint64(words[i]), weights[i]
		v := int64(residuals[i]) * weight
		for k := range lanes {
			r[k][uint8(x)] += v
			w[k][uint8(x)] += weight
			x >>= 8
		}
	}
}
