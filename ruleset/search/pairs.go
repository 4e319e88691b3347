package search

import "parcorels/bitvec"

// This file keeps what a frame knows of two of its candidates together, so that
// most children of its children are dropped without being counted.
//
// Let T be the points of rule R, and j, k two candidates. A frame counts its
// children one after the other before it goes down into any, so it knows P_jk
// and N_jk, or bounds on them: P_jk ≤ gain and N_jk ≥ loss. Further down, at R' ⊃ R
// with points T', the same pair has
//
//	P'_jk ≤ min(P'_j, P'_k, P_jk)
//	N'_jk ≥ max(0, N'_j + N'_k − N', N'_j − (N_j − N_jk), N'_k − (N_k − N_jk)),
//
// since what k excludes of T∩j, N_j − N_jk, only shrinks with T. So in the
// child T'∩j, k excludes at most N'_j less the second bound. A pair of which no
// better rule can come at R is of no use below R either; it is marked.

// pair bounds what the points of two candidates are worth.
type pair struct{ gain, loss int64 }

// useless marks a pair that is in no better rule.
var useless = pair{gain: nothing}

// pairsAtMost bounds the candidates of a frame that keeps pairs: 16 bytes for
// each two of them.
const pairsAtMost = 1024

// row returns the pairs of candidate i, by candidate. If f keeps no pairs, the
// next row takes the same place.
func (f *frame) row(i int) []pair {
	m := len(f.candidates)
	rows := m
	if !f.keepsPairs() {
		i, rows = 0, 1
	}
	if len(f.pairs) < rows*m {
		f.pairs = make([]pair, rows*m)
	}
	return f.pairs[i*m : (i+1)*m]
}

// keepsPairs reports whether the rows of f outlast one another.
func (f *frame) keepsPairs() bool { return !f.oneRow && len(f.candidates) <= pairsAtMost }

// foresee fills row i of f with bounds from the counts of f, and from the pairs of
// the frame above if it has any (nil: none). It reports whether a rule below the
// child could beat the incumbent.
func (w *walker) foresee(f *frame, i int, row []pair, above *frame) bool {
	q := f.candidates[i]
	length := int64(len(w.chosen))
	best, λ := w.best.Load(), w.p.λ
	short := int(length + 2)
	most := int64(nothing)
	var aboveRow []pair
	var lossOfQ int64
	if above != nil {
		m := len(above.candidates)
		at := q.from
		aboveRow = above.pairs[at*m : (at+1)*m]
		lossOfQ = above.candidates[at].n
	}
	w.spread.reset(len(w.p.in.Columns))
	for t := i + 1; t < len(f.candidates); t++ {
		r := &f.candidates[t]
		b := pair{q.p, max(0, q.n+r.n-f.loss)} // candidates ascend by p
		if aboveRow != nil {
			from := r.from
			x := aboveRow[from]
			if from < q.from {
				x = above.pairs[from*len(above.candidates)+q.from]
			}
			b.gain = min(b.gain, x.gain)
			b.loss = max(b.loss, q.n-(lossOfQ-x.loss), r.n-(above.candidates[from].n-x.loss))
		}
		if q.n-b.loss <= λ || r.n-b.loss <= λ || !best.admits(b.gain-λ*(length+2), short) {
			row[t] = useless
			continue
		}
		row[t] = b
		most = max(most, b.gain)
		w.spread.add(q.n-b.loss, w.p.chain[r.column])
	}
	if most == nothing {
		return false
	}
	return w.spread.within(best.room(most-λ*(length+1), short), q.n, λ)
}

// countRow replaces the bounds of row i by counts, where set is what child i
// covers. A pass over the whole matrix takes less than one for each literal if at
// least a third of the columns are wanted.
func (w *walker) countRow(f *frame, i int, row []pair, set []uint64) {
	later := f.candidates[i+1:]
	if 3*len(later) < w.p.matrix.Columns() {
		for t, r := range later {
			if x := &row[i+1+t]; x.gain != nothing {
				x.gain, x.loss = w.p.in.Planes.CostAnd(set, w.p.in.Columns[r.column])
			}
		}
		return
	}
	g1, g0 := w.countColumns(set)
	for t, r := range later {
		if x := &row[i+1+t]; x.gain != nothing {
			*x = pair{g1[r.column], g0[r.column]}
		}
	}
}

// countColumns returns what is left of set in each column.
func (w *walker) countColumns(set []uint64) (g1, g0 []int64) {
	n := w.p.matrix.Blocks() * bitvec.Lanes
	if cap(w.g1) < n {
		w.g1, w.g0 = make([]int64, n), make([]int64, n)
	}
	g1, g0 = w.g1[:n], w.g0[:n]
	w.p.in.Planes.Compile(&w.prog, set)
	w.p.matrix.Count(&w.prog, 0, w.p.matrix.Blocks(), g1, g0)
	return g1, g0
}
