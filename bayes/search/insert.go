package search

import "parcorels/bitvec"

// This file evaluates all lists that have one rule more at a place, or another one there,
// from counts alone.
//
// Let rule j of a list capture the set C_j; the last set is that of the default. A rule with
// antecedent a that is put before rule j takes from C_j what satisfies a, and from every later
// set, and moves no sample otherwise. So F of the new list follows from how much of each C_j
// satisfies a, counted for all antecedents in one pass over the matrix.
//
// If the rule at a place is replaced, its samples go to the later rules first, each to
// the first that applies. The sets of the list without the rule are the C_j with those, and the
// replacement is put before them. What the later rules get is counted in the same way; mostly
// it is little, and words without a sample cost nothing.
//
// Counts take 24 bytes for each rule and antecedent, per worker.

// segment is what one rule captures, and how much of it satisfies each antecedent.
type segment struct {
	set    []uint64
	n1, n0 int64
	g1, g0 []int64
}

// insertions are the segments of the polisher's list.
type insertions struct {
	prog     bitvec.Program
	segments []segment
	freed    []segment // what the later rules get without one
	tail     [][]int64 // by rule and antecedent: Σ l of the segments from there on, without the antecedent
	rest     []int64
	taken1   []int64 // by antecedent: what satisfies it of the segments from a place on
	taken0   []int64
}

// changed brings the segments up to date after the rules from one on have changed.
func (o *polisher) changed(from int) {
	l, p := o.list, o.p
	m, width := len(l.rules), p.matrix.Blocks()*bitvec.Lanes
	for len(o.segments) <= m {
		for _, list := range []*[]segment{&o.segments, &o.freed} {
			*list = append(*list, segment{set: make([]uint64, p.in.Words), g1: make([]int64, width), g0: make([]int64, width)})
		}
		o.tail = append(o.tail, make([]int64, width))
	}
	for j := from; j <= m; j++ {
		s := &o.segments[j]
		copy(s.set, l.left[j])
		if j < m {
			bitvec.And(s.set, s.set, p.in.Columns[l.rules[j]])
		}
		o.count(s)
	}
	for j := m; j >= 0; j-- {
		tail := o.tail[j]
		clear(tail)
		if j < m {
			copy(tail, o.tail[j+1])
		}
		o.addLeaves(tail, &o.segments[j])
	}
}

// count counts the set of a segment.
func (o *polisher) count(s *segment) {
	p := o.p
	s.n1, s.n0 = p.in.Planes.Cost(s.set)
	p.in.Planes.Compile(&o.prog, s.set)
	p.matrix.Count(&o.prog, 0, p.matrix.Blocks(), s.g1, s.g0)
}

// addLeaves adds l of what is left of a segment without each antecedent.
func (o *polisher) addLeaves(sums []int64, s *segment) {
	n1, n0, g1, g0 := s.n1, s.n0, s.g1, s.g0
	for a := range o.p.card {
		sums[a] += o.p.leaf(n1-g1[a], n0-g0[a])
	}
}

// takenFrom counts what satisfies each antecedent of the segments from a place on.
func (o *polisher) takenFrom(from int) {
	p := o.p
	if o.taken1 == nil {
		width := p.matrix.Blocks() * bitvec.Lanes
		o.taken1, o.taken0 = make([]int64, width), make([]int64, width)
	}
	p.in.Planes.Compile(&o.prog, o.list.left[from])
	p.matrix.Count(&o.prog, 0, p.matrix.Blocks(), o.taken1, o.taken0)
}

// head is what the rules before a place and one of an antecedent there add to F, without
// the latter's prior. It needs takenFrom.
func (o *polisher) head(from, a int) int64 {
	return o.list.sum[from] + o.p.leaf(o.taken1[a], o.taken0[a])
}

// without returns, by antecedent, Σ l of the segments behind a rule if an antecedent
// takes its place.
func (o *polisher) without(rule int) []int64 {
	l, m := o.list, len(o.list.rules)
	left, last := o.left, rule
	copy(left, o.segments[rule].set)
	for j := rule + 1; j <= m; j++ {
		f, s := &o.freed[j], &o.segments[j]
		copy(f.set, left)
		if j < m {
			column := o.p.in.Columns[l.rules[j]]
			bitvec.And(f.set, f.set, column)
			bitvec.AndNot(left, left, column)
		}
		if o.count(f); f.n1+f.n0 == 0 {
			continue
		}
		last = j
		f.n1, f.n0 = f.n1+s.n1, f.n0+s.n0
		for a := range o.p.card {
			f.g1[a] += s.g1[a]
			f.g0[a] += s.g0[a]
		}
	}
	o.rest = append(o.rest[:0], o.tail[m]...)
	clear(o.rest)
	if last < m {
		copy(o.rest, o.tail[last+1])
	}
	for j := rule + 1; j <= last; j++ {
		if f := &o.freed[j]; f.n1+f.n0 > 0 {
			o.addLeaves(o.rest, f)
		} else {
			o.addLeaves(o.rest, &o.segments[j])
		}
	}
	return o.rest
}
