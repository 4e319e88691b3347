package cuts

import (
	"sync"

	"parcorels/internal/loop"
)

// littleWork is how many steps are not worth another goroutine.
const littleWork = 1 << 15

// histograms writes the sums of each bin of each view over rows to all.
func (e *ensemble) histograms(all []sums, rows *rowSpan) { e.overRuns(rows, all, rows, nil) }

// overRuns does what first says to each block of a node, and then writes the
// sums of each bin of each view over rows, which are of the node, to all.
// Integers add up to the same in any order, so that all processors share the
// blocks.
func (e *ensemble) overRuns(n *rowSpan, all []sums, rows *rowSpan, first func(block int, spare *[blockRows]uint16)) {
	clear(all)
	ends := n.runs()
	locks := make([]sync.Mutex, len(e.table.views)) // of the sums of each view
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
		for i, v := range e.table.views {
			e.sumView(all[v.first:v.first+v.n], v, rows, begin, ends[k], &locks[i])
		}
	}
	if n.count*len(e.table.views) < littleWork || len(ends) == 1 {
		for k := range ends {
			task(k)
		}
		return
	}
	loop.Parallel(len(ends), task)
}

// sumView adds the sums of the bins of a view over the samples of a node in some blocks to all.
func (e *ensemble) sumView(all []sums, v *view, rows *rowSpan, begin, end int, lock *sync.Mutex) {
	var sum [maxBins]sums
	for b := begin; b < end; b++ {
		at := b << blockBits
		bins, residuals := v.bins[at:], e.residuals[at:]
		if e.weights == nil {
			for _, i := range e.rowsOf(rows, b) {
				s := &sum[bins[i]]
				s.residual += int64(residuals[i])
				s.weight++
			}
			continue
		}
		weights := e.weights[at:]
		for _, i := range e.rowsOf(rows, b) {
			s := &sum[bins[i]]
			s.residual += int64(residuals[i]) * weights[i]
			s.weight += weights[i]
		}
	}
	lock.Lock()
	defer lock.Unlock()
	for i := range all {
		all[i] = all[i].plus(sum[i])
	}
}
