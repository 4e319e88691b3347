package search

import (
	"math/bits"
	"slices"

	"parcorels/bitvec"
)

// lay lays the points out for counting. The cost of a point in a leaf of
// class j is the weight of its heaviest class less that of class j: all else is
// an error that no tree avoids. A point that costs nothing in any class is left
// out, unless rows are counted. Points of one heaviest class stand together, those whose costs have most digits first, so that
// the digits of the costs lie in few words.
//
// A feature that splits these points as an earlier one does, or the other way
// round, is left out: in the order of preorders the earlier one comes first.
// Features has the indices of those that are left. It returns the errors that no tree avoids.
func (s *search) lay() (base int64) {
	p, rows := s.in, s.o.Rows
	room := make([]int32, 2*p.Count)
	groups := room[:p.Count]
	last := 65 * p.Classes        // the group of points that are left out
	next := make([]int32, last+2) // by group, where its next point stands
	for i := range groups {
		best, most := 0, p.Weights[0][i]
		least, all := most, most
		for c, weights := range p.Weights[1:] {
			w := weights[i]
			if w > most { // no branch
				best, most = c+1, w
			}
			least = min(least, w)
			all += w
		}
		base += all - most
		g := last
		if most > least || rows != nil {
			g = 65*(p.Classes-best) - 1 - bits.Len64(uint64(most-least))
		}
		groups[i] = int32(g)
		next[g+1]++
	}
	for g := range next[1:] {
		next[g+1] += next[g]
	}
	places := room[p.Count:]
	for i, g := range groups {
		places[next[g]] = int32(i)
		next[g]++
	}
	s.points = int(next[last-1])
	places = places[:s.points]
	s.splits = bitvec.NewSplits((s.points+63)/64, p.Classes, func(word int, gains [][64]int64) {
		clear(gains)
		for i, o := range places[64*word : min(64*word+64, len(places))] {
			least := p.Weights[0][o]
			for _, weights := range p.Weights[1:] {
				least = min(least, weights[o])
			}
			for class, weights := range p.Weights {
				gains[class][i] = weights[o] - least
			}
		}
	})
	columns, features := distinct(p.Arranged(places), p.Antecedents, s.points)
	s.splits.Take(columns, len(features))
	s.features = features
	if rows != nil {
		n := make([]int64, 64*s.splits.Words())
		for i, o := range places {
			n[i] = rows[o]
		}
		s.rows = bitvec.NewPlanes(n, s.splits.Words())
	}
	return base
}

// distinct keeps those of count columns that no earlier one equals or complements, and that neither hold nor lack
// all points. It moves them to the front, with an empty one behind the last, and returns their indices.
func distinct(columns []uint64, count, points int) (left []uint64, indices []int) {
	if points == 0 {
		return nil, nil
	}
	words := (points + 63) / 64
	column := func(f int) []uint64 { return columns[f*words : (f+1)*words] }
	turn := func(to []uint64, f int) { // a column, or its complement if it holds the first point
		for i, x := range column(f) {
			to[i] = x ^ -(column(f)[0] & 1)
		}
		to[words-1] &= ^uint64(0) >> (-points & 63)
	}
	h := bitvec.NewHasher(words)
	mask := uint64(1)<<bits.Len(uint(2*count)) - 1
	slots := make([]int32, mask+1) // a hash table with linear probing of the columns at the front, + 1
	turned, other := make([]uint64, words), make([]uint64, words)
	slots[h.Hash(turned).Lo&mask] = int32(count + 1) // the empty one
	for f := range count {
		turn(turned, f)
		at := h.Hash(turned).Lo & mask
		for ; slots[at] > 0; at = (at + 1) & mask {
			if turn(other, int(slots[at]-1)); slices.Equal(other, turned) {
				break
			}
		}
		if slots[at] == 0 {
			copy(column(len(indices)), column(f))
			indices = append(indices, f)
			slots[at] = int32(len(indices))
		}
	}
	clear(column(len(indices)))
	if left = columns[:(len(indices)+1)*words]; len(left) < len(columns)/8*7 {
		left = slices.Clone(left)
	}
	return left, indices
}

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
