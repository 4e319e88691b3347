package guess

// begin sets the residuals to those of an ensemble without trees: the labels.
func (e *ensemble) begin() {
	if e.residuals == nil {
		e.residuals = make([]int64, len(e.ones))
		e.rows = [2][]int32{make([]int32, len(e.ones)), make([]int32, len(e.ones))}
	}
	e.squares = 0
	for i, y := range e.ones {
		r := int64(0)
		if y {
			r = one
		}
		e.squares += (r >> 8) * (r >> 8) * e.weight(i)
		if e.weights == nil {
			r = r<<countBits + 1
		}
		e.residuals[i] = r
	}
}

// take takes a step from the residuals of rows.
func (e *ensemble) take(rows []int32, step int64) {
	chunks := (len(rows) + chunkRows - 1) / chunkRows
	squares := make([]int64, chunks)
	part := func(k int) {
		part := rows[k*chunkRows : min((k+1)*chunkRows, len(rows))]
		if e.weights == nil {
			squares[k] = takePacked(e.residuals, part, step)
		} else {
			squares[k] = e.takeWeighted(part, step)
		}
	}
	if chunks == 1 {
		part(0)
	} else {
		overAll(chunks, part)
	}
	for _, s := range squares {
		e.squares += s
	}
}

func takePacked(residuals []int64, rows []int32, step int64) (squares int64) {
	step <<= countBits
	for _, i := range rows {
		v := residuals[i] - step
		residuals[i] = v
		r := v >> (countBits + 8)
		squares += r * r
	}
	return squares
}

func (e *ensemble) takeWeighted(rows []int32, step int64) (squares int64) {
	for _, i := range rows {
		v := e.residuals[i] - step
		e.residuals[i] = v
		squares += (v >> 8) * (v >> 8) * e.weights[i]
	}
	return squares
}
