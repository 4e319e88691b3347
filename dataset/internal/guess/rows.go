package guess

// rowSpan is the samples of a node: a part of one of two buffers.
type rowSpan struct {
	first, last int // behind it
	buffer      int
}

// rowsOf returns the samples of a span.
func (e *ensemble) rowsOf(s rowSpan) []int32 { return e.rows[s.buffer][s.first:s.last] }

// splitRows parts the samples of a node: those whose value of a slot is on side
// 1 come first. Every chunk is parted from one buffer into the same place of
// the other. Of several chunks the parts go back, each behind its like.
func (e *ensemble) splitRows(n rowSpan, slot int, side *[slotSize]uint8) (in, out rowSpan) {
	rows, to := e.rowsOf(n), e.rows[1-n.buffer][n.first:n.last]
	words, shift := e.table.tiles[slot/lanes], uint(slot%lanes*8)
	chunks := (len(rows) + chunkRows - 1) / chunkRows
	counts := make([]int, chunks)
	part := func(k int) {
		first, last := k*chunkRows, min((k+1)*chunkRows, len(rows))
		counts[k] = partRows(to[first:last], rows[first:last], words, shift, side)
	}
	if chunks == 1 {
		part(0)
		mid := n.first + counts[0]
		return rowSpan{n.first, mid, 1 - n.buffer}, rowSpan{mid, n.last, 1 - n.buffer}
	}
	overAll(chunks, part)
	ins := 0
	for _, c := range counts {
		ins += c
	}
	begins, sum := make([]int, chunks), 0
	for k, c := range counts {
		begins[k] = sum
		sum += c
	}
	overAll(chunks, func(k int) {
		first, last := k*chunkRows, min((k+1)*chunkRows, len(rows))
		copy(rows[begins[k]:], to[first:first+counts[k]])
		copy(rows[ins+first-begins[k]:], to[first+counts[k]:last])
	})
	mid := n.first + ins
	return rowSpan{n.first, mid, n.buffer}, rowSpan{mid, n.last, n.buffer}
}

// partRows writes rows on side 1 to the beginning of to, the others from its
// end on, and returns how many are on side 1. Both places are written to, so
// that no branch is to be foretold.
func partRows(to, rows []int32, words []uint64, shift uint, side *[slotSize]uint8) int {
	in, out := 0, len(to)-1
	for _, i := range rows {
		s := int(side[uint8(words[i]>>(shift&63))])
		to[in], to[out] = i, i
		in += s
		out += s - 1
	}
	return in
}
