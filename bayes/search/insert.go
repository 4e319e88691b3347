package search

import (
	"slices"

	"parcorels/bitvec"
)

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
// replacement is put before them. The samples of later rules are counted in the same way; mostly
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
	segments []*segment // by rule, the last is that of the default
	spare    []*segment
	freed    []*segment // what the later rules get without one
	tail     [][]int64  // by rule and antecedent: Σ l of the segments from there on, without the antecedent
	gets     []int      // the rules that get some of it
	rest     []int64
	taken1   []int64 // by antecedent: what satisfies it of the segments from a place on
	taken0   []int64
}

// changed brings the segments up to date after the rules from one on have changed.
func (o *polisher) changed(from int) {
	l := o.list
	m := len(l.rules)
	old := o.segments
	o.segments = append(make([]*segment, 0, m+1), old[:from]...)
	for j := from; j <= m; j++ {
		s := o.segment()
		copy(s.set, l.left[j])
		if j < m {
			bitvec.And(s.set, s.set, o.p.in.Columns[l.rules[j]])
		}
		o.count(s)
		o.segments = append(o.segments, s)
	}
	o.spare = append(o.spare, old[min(from, len(old)):]...)
	for len(o.tail) <= m {
		o.freed, o.tail = append(o.freed, o.segment()), append(o.tail, make([]int64, len(o.segments[m].g1)))
	}
	for j := m; j >= 0; j-- {
		tail := o.tail[j]
		clear(tail)
		if j < m {
			copy(tail, o.tail[j+1])
		}
		o.addLeaves(tail, o.segments[j])
	}
}

// segment returns one that is not in use.
func (o *polisher) segment() *segment {
	if n := len(o.spare) - 1; n >= 0 {
		s := o.spare[n]
		o.spare = o.spare[:n]
		return s
	}
	width := o.p.matrix.Blocks() * bitvec.Lanes
	return &segment{set: make([]uint64, o.p.in.Words), g1: make([]int64, width), g0: make([]int64, width)}
}

// add adds the counts of another segment.
func (s *segment) add(d *segment) {
	s.n1, s.n0 = s.n1+d.n1, s.n0+d.n0
	for a := range s.g1 {
		s.g1[a] += d.g1[a]
		s.g0[a] += d.g0[a]
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

// takenFrom sums up what satisfies each antecedent of the segments from a place on.
func (o *polisher) takenFrom(from int) {
	last := o.segments[len(o.segments)-1]
	o.taken1, o.taken0 = append(o.taken1[:0], last.g1...), append(o.taken0[:0], last.g0...)
	for _, s := range o.segments[from : len(o.segments)-1] {
		for a := range o.taken1 {
			o.taken1[a] += s.g1[a]
			o.taken0[a] += s.g0[a]
		}
	}
}

// head is what the rules before a place and one of an antecedent there add to F, without
// the latter's prior. It needs takenFrom.
func (o *polisher) head(from, a int) int64 {
	return o.list.sum[from] + o.p.leaf(o.taken1[a], o.taken0[a])
}

// without returns, by antecedent, Σ l of the segments behind a rule if an antecedent
// takes its place.
func (o *polisher) without(rule int) []int64 {
	m := len(o.list.rules)
	o.free(rule)
	last := rule
	if n := len(o.gets); n > 0 {
		last = o.gets[n-1]
	}
	o.rest = append(o.rest[:0], o.tail[m]...)
	clear(o.rest)
	if last < m {
		copy(o.rest, o.tail[last+1])
	}
	for j, k := rule+1, 0; j <= last; j++ {
		s := o.segments[j]
		if j == o.gets[k] {
			s, k = o.freed[j], k+1
			s.add(o.segments[j])
		}
		o.addLeaves(o.rest, s)
	}
	return o.rest
}

// free counts what the later rules get of a rule's samples, in o.freed, and lists those that get some.
func (o *polisher) free(rule int) {
	l, left := o.list, o.left
	copy(left, o.segments[rule].set)
	o.gets = o.gets[:0]
	for j := rule + 1; j <= len(l.rules); j++ {
		f := o.freed[j]
		copy(f.set, left)
		if j < len(l.rules) {
			column := o.p.in.Columns[l.rules[j]]
			bitvec.And(f.set, f.set, column)
			bitvec.AndNot(left, left, column)
		}
		if slices.ContainsFunc(f.set, func(word uint64) bool { return word != 0 }) {
			o.count(f)
			o.gets = append(o.gets, j)
		}
	}
}
