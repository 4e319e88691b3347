package search

import "parcorels/bitvec"

// Pruning 8 of more than two classes (prune_redundant.go). Let rules of a prefix keep their labels, and
// leave rule i out. Of the points that it captured each later rule gets some, and gains of these by its
// own label; the others cost what they cost at most. If that is no more than what rule i errs and its
// price, every completion is beaten by a shorter list.

// redundantClass reports whether f's prefix has a rule that it is better without, and which.
func (r *redundancy) redundantClass(f *frame) (rule int, ok bool) {
	p := r.p
	last := f.depth - 1
	r.labels = r.labels[:0]
	for i := range last {
		label, _ := p.Classes.Label(f.before[i], p.Columns[f.prefix[i]])
		r.labels = append(r.labels, label)
	}
	r.labels = append(r.labels, f.class)
	for i := last - 1; i >= 0; i-- {
		room := (f.costs[i+1] - f.costs[i]) / p.Unit // price and what rule i errs
		bitvec.And(r.wrong, f.before[i], p.Columns[f.prefix[i]])
		most, _ := p.Planes.Cost(r.wrong)
		for j := i + 1; j <= last && most > room; j++ {
			col := p.Columns[f.prefix[j]]
			gain, _ := p.Classes.Gains[r.labels[j]].CostAnd(r.wrong, col)
			most -= gain
			bitvec.AndNot(r.wrong, r.wrong, col)
		}
		if most <= room {
			return i, true
		}
	}
	return 0, false
}
