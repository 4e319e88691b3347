package cuts

import "parcorels/internal/loop"

// littleWork is how many steps are not worth another goroutine.
const littleWork = 1 << 15

// histograms writes the sums of each bin of each column that is used over rows to all. Each column is one goroutine's.
func (e *ensemble) histograms(all []sums, rows []int32) {
	column := func(k int) {
		c := e.used[k]
		bins := all[e.first[c] : e.first[c]+e.columns[c].N]
		clear(bins)
		e.sumColumn(bins, e.columns[c].Bins, rows)
	}
	if len(rows)*len(e.used) < littleWork {
		for k := range e.used {
			column(k)
		}
		return
	}
	loop.Parallel(len(e.used), column)
}

// sumColumn adds the samples in rows to the sums of their bins.
func (e *ensemble) sumColumn(sum []sums, bins []uint8, rows []int32) {
	if e.weights == nil {
		for _, i := range rows {
			s := &sum[bins[i]]
			s.residual += int64(e.residuals[i])
			s.weight++
		}
		return
	}
	for _, i := range rows {
		s := &sum[bins[i]]
		s.residual += int64(e.residuals[i]) * e.weights[i]
		s.weight += e.weights[i]
	}
}

// partRows moves rows on side 1 to the beginning, the others behind them, and returns both. Each is written to both
// places, so that no branch is to be foretold.
func (e *ensemble) partRows(rows []int32, bins []uint8, side *[maxBins]uint8) (in, out []int32) {
	n, others := 0, 0
	spare := e.spareRows
	for _, i := range rows {
		s := int(side[bins[i]])
		rows[n], spare[others] = i, i
		n += s
		others += 1 - s
	}
	copy(rows[n:], spare[:others])
	return rows[:n], rows[n:]
}
