package search

// dominated drops a candidate k of f if another, j, is at least as good in every
// rule below: what k covers of the gain, j covers too, and what j covers of the loss,
// k covers too. Let R' contain k. With j in place of k it covers no less gain, no more
// loss and is as long; if R' contains j as well, k excludes no loss that j does
// not, and R' without k is better. On equal values the lexicographically smaller
// rule wins, so j must be the smaller literal.
//
// The test takes all pairs of candidates, so it is made near the root only.
func (w *walker) dominated(f *frame) {
	if w.p.rows != nil {
		return
	}
	words1 := w.p.in.Words1
	kept := f.candidates[:0]
	all := append([]candidate(nil), f.candidates...)
	for _, k := range all {
		if !w.hasDominator(f.set, all, k, words1) {
			kept = append(kept, k)
		}
	}
	f.candidates = kept
}

func (w *walker) hasDominator(set []uint64, all []candidate, k candidate, words1 int) bool {
	column := w.p.in.Columns[k.column]
	for _, j := range all {
		if j.column >= k.column || j.p < k.p || j.n > k.n {
			continue
		}
		other := w.p.in.Columns[j.column]
		if within(set[:words1], column, other) && within(set[words1:], other[words1:], column[words1:]) {
			return true
		}
	}
	return false
}
