package search

import "parcorels/bitvec"

// Least rows of a leaf (Options.MinRows).
//
// A split may be only where both sides hold so many rows. A set that lacks them for some feature lacks them below, too. Points that cost
// nothing count, so here they are in the sets; a feature that divides no others only takes rows from leaves, and stays of no use. All
// lower bounds are those of more trees, hence true. The best tree of two leaves that a count shows may split where it must not: then it
// bounds a side from below alone.

// keepEnough keeps the counted features that leave both sides of a set enough rows.
func (w *worker) keepEnough(set []uint64) {
	if w.rows == nil {
		return
	}
	c, n := w.counts, 0
	for i, f := range c.Live {
		if w.splitMay(set, int(f)) {
			c.Live[n] = f
			c.One1[n], c.Two1[n], c.Cut1[n] = c.One1[i], c.Two1[i], c.Cut1[i]
			c.One0[n], c.Two0[n], c.Cut0[n] = c.One0[i], c.Two0[i], c.Cut0[i]
			n++
		}
	}
	c.Live = c.Live[:n]
}

// splitMay reports whether both sides of a split hold enough rows.
func (s *search) splitMay(set []uint64, feature int) bool {
	if s.rows == nil {
		return true
	}
	all, _ := s.rows.Cost(set)
	with, _ := s.rows.CostAnd(set, s.splits.Column(feature))
	least := int64(s.o.MinRows)
	return with >= least && all-with >= least
}

// whole is the set of all points.
func (s *search) whole() []uint64 {
	if s.rows == nil {
		return s.splits.All()
	}
	all := make([]uint64, s.splits.Words())
	for i := range s.points {
		all[i/64] |= 1 << (i % 64)
	}
	return all
}

// countRows makes planes of the rows of points, in the order of the search.
func countRows(rows []int64, places []int32) *bitvec.Planes {
	words := (len(places) + 63) / 64
	n := make([]int64, 64*words)
	for i, o := range places {
		n[i] = rows[o]
	}
	return bitvec.NewPlanes(n, words)
}
