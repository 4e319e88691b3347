package search

import (
	"math/bits"

	"parcorels/rulelist/problem"
	"parcorels/rulelist/prune"
)

// losing returns hooks that lose the children that drop names.
func losing(drop func(p *problem.Problem, f *prune.Frame, col int) bool) hooks {
	return hooks{opened: func(w *worker, f *prune.Frame) {
		for _, col := range openColumns(f) {
			if drop(w.p, f, col) {
				f.Open[col/64] &^= 1 << (col % 64)
			}
		}
	}}
}

// openColumns returns the columns whose children are to be judged.
func openColumns(f *prune.Frame) (columns []int) {
	for i, m := range f.Open {
		for ; m != 0; m &= m - 1 {
			columns = append(columns, i*64+bits.TrailingZeros64(m))
		}
	}
	return columns
}

// judgeFirst judges the first n of f's open children ahead of the others.
func (w *worker) judgeFirst(f *prune.Frame, n int) {
	columns := openColumns(f)
	for _, col := range columns[n:] {
		f.Open[col/64] &^= 1 << (col % 64)
	}
	w.judgeOpen(f)
	clear(f.Open)
	for _, col := range columns[n:] {
		f.Open[col/64] |= 1 << (col % 64)
	}
}
