package cuts

import (
	"runtime"
	"sync"
)

// everyRow returns the samples of the root, block by block in their order.
func (e *ensemble) everyRow() rowSpan {
	n := len(e.labels)
	all := rowSpan{make([]part, (n+blockRows-1)>>blockBits), n}
	for b := range all.blocks {
		all.blocks[b] = part{0, int32(min(blockRows, n-b<<blockBits))}
		order := e.order[b<<blockBits:]
		for i := range order[:all.blocks[b].last] {
			order[i] = uint16(i)
		}
	}
	return all
}

// rowsOf returns the samples of a node in a block, as their places in it.
func (e *ensemble) rowsOf(s *rowSpan, block int) []uint16 {
	p := s.blocks[block]
	return e.order[block<<blockBits+int(p.first) : block<<blockBits+int(p.last)]
}

// runs returns where runs of blocks end: what a worker does at a time, a few
// blocks, so that adding its sums to those of all takes little beside them. With many
// workers the runs are shorter, as most nodes have a few blocks' rows.
func (s *rowSpan) runs() (ends []int) {
	most := max(blockRows/4, min(4*blockRows, s.count/(2*runtime.GOMAXPROCS(0))))
	rows := 0
	for b, p := range s.blocks {
		if rows += p.len(); rows > most && b > 0 {
			ends = append(ends, b)
			rows = p.len()
		}
	}
	return append(ends, len(s.blocks))
}

// splitRows parts the samples of a node: those whose bin of a view is on side 1
// are in. It writes the sums of those of side small to all.
func (e *ensemble) splitRows(n *rowSpan, v *view, side *[maxBins]uint8, small int, all []sums) (in, out rowSpan) {
	in.blocks, out.blocks = make([]part, len(n.blocks)), make([]part, len(n.blocks))
	sides := [2]*rowSpan{&out, &in}
	e.overRuns(n, all, sides[small], func(block int, spare *[blockRows]uint16) {
		ins, p := int32(partRows(e.rowsOf(n, block), spare, v.bins[block<<blockBits:], side)), n.blocks[block]
		in.blocks[block], out.blocks[block] = part{p.first, p.first + ins}, part{p.first + ins, p.last}
	})
	for b := range in.blocks {
		in.count += in.blocks[b].len()
	}
	out.count = n.count - in.count
	return in, out
}

// spareRows are buffers to part rows with.
var spareRows = sync.Pool{New: func() any { return new([blockRows]uint16) }}

// partRows moves rows on side 1 to the beginning, the others behind them, and
// returns how many are on side 1. Each is written to both places, so that no
// branch is to be foretold.
func partRows(rows []uint16, spare *[blockRows]uint16, bins []uint8, side *[maxBins]uint8) int {
	in, out := 0, 0
	for _, i := range rows {
		s := int(side[bins[i]])
		rows[in], spare[out&(blockRows-1)] = i, i
		in += s
		out += 1 - s
	}
	copy(rows[in:], spare[:out])
	return in
}
