package guess

import "parcorels/internal/loop"

// begin sets the residuals to those of an ensemble without trees: the labels.
//
// They are kept in 32 bits: a step is at most 1/rate of the largest, so that
// after all trees none is above one·(1 + 1/rate)^trees, which is less than 2^29.
func (e *ensemble) begin() {
	if e.residuals == nil {
		e.residuals = make([]int32, len(e.ones))
		e.order = make([]uint16, len(e.ones))
	}
	e.squares = 0
	for i, y := range e.ones {
		r := int32(0)
		if y {
			r = one
		}
		e.squares += int64(r>>8) * int64(r>>8) * e.weight(i)
		e.residuals[i] = r
	}
}

// take takes the steps of leaves from the residuals of their samples.
func (e *ensemble) take(leaves []*node) {
	squares := make([]int64, len(leaves[0].rows.blocks))
	loop.Parallel(len(squares), func(block int) {
		residuals := e.residuals[block<<blockBits:]
		for _, n := range leaves {
			rows := e.rowsOf(&n.rows, block)
			if e.weights == nil {
				squares[block] += takeStep(residuals, rows, int32(n.step))
			} else {
				squares[block] += takeWeighted(residuals, rows, int32(n.step), e.weights[block<<blockBits:])
			}
		}
	})
	e.squares = 0
	for _, s := range squares {
		e.squares += s
	}
}

func takeStep(residuals []int32, rows []uint16, step int32) (squares int64) {
	for _, i := range rows {
		r := residuals[i] - step
		residuals[i] = r
		squares += int64(r>>8) * int64(r>>8)
	}
	return squares
}

func takeWeighted(residuals []int32, rows []uint16, step int32, weights []int64) (squares int64) {
	for _, i := range rows {
		r := residuals[i] - step
		residuals[i] = r
		squares += int64(r>>8) * int64(r>>8) * weights[i]
	}
	return squares
}
