package guess

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// sums is what is known of a set of samples: its weight, and the sum of its
// weighted residuals.
type sums struct{ residual, weight int64 }

func (s sums) plus(t sums) sums  { return sums{s.residual + t.residual, s.weight + t.weight} }
func (s sums) minus(t sums) sums { return sums{s.residual - t.residual, s.weight - t.weight} }

// score is what squared loss a set is spared by its own mean.
func (s sums) score() float64 {
	r := float64(s.residual)
	return float64(r*r) / float64(s.weight)
}

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
	chunkRows = 1 << 15 // what a worker sums at a time
)

// lane are the sums of a slot by value.
type lane [slotSize]int64

// histograms writes the sums of each bin of each view over rows to all.
// Integers add up to the same in any order, so that all processors share tiles
// and chunks of rows.
func (e *ensemble) histograms(all []sums, rows []int32) {
	clear(all)
	t := e.table
	chunks := (len(rows) + chunkRows - 1) / chunkRows
	task := func(k int, lock *sync.Mutex) {
		tile, chunk := k/chunks, k%chunks
		part := rows[chunk*chunkRows : min((chunk+1)*chunkRows, len(rows))]
		var r, w [lanes]lane
		if e.weights == nil {
			addRows(&r, t.tiles[tile], part, e.residuals, t.used(tile))
			unpack(&r, &w, t.used(tile))
		} else {
			addWeighted(&r, &w, t.tiles[tile], part, e.residuals, e.weights)
		}
		lock.Lock()
		t.spread(all, tile, &r, &w)
		lock.Unlock()
	}
	if len(rows)*len(t.slots) < littleWork {
		var lock sync.Mutex
		for k := range len(t.tiles) * chunks {
			task(k, &lock)
		}
		return
	}
	locks := make([]sync.Mutex, len(t.tiles))
	overAll(len(t.tiles)*chunks, func(k int) { task(k, &locks[k/chunks]) })
}

// littleWork is how many steps are not worth another goroutine.
const littleWork = 1 << 15

// used is how many slots a tile has.
func (t *table) used(tile int) int { return min(lanes, len(t.slots)-tile*lanes) }

// unpack takes numbers of samples out of sums.
func unpack(r, w *[lanes]lane, used int) {
	for k := range used {
		for x, v := range r[k] {
			r[k][x], w[k][x] = v>>countBits, v&countMask
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

// addRows adds the values of rows to the sums of their slots. Slots from used on
// do not matter.
func addRows(h *[lanes]lane, words []uint64, rows []int32, values []int64, used int) {
	if used <= lanes/2 {
		for _, i := range rows {
			w, v := words[i], values[i]
			h[0][uint8(w)] += v
			h[1][uint8(w>>8)] += v
			h[2][uint8(w>>16)] += v
			h[3][uint8(w>>24)] += v
		}
		return
	}
	for _, i := range rows {
		w, v := words[i], values[i]
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

// addWeighted adds the weighted residuals of rows to r and their weights to w.
func addWeighted(r, w *[lanes]lane, words []uint64, rows []int32, residuals, weights []int64) {
	for _, i := range rows {
		x, weight := words[i], weights[i]
		v := residuals[i] * weight
		for k := range lanes {
			r[k][uint8(x)] += v
			w[k][uint8(x)] += weight
			x >>= 8
		}
	}
}

// overAll runs f for all of n, on all processors.
func overAll(n int, f func(i int)) {
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		group.Go(func() {
			for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
				f(int(i))
			}
		})
	}
	group.Wait()
}
