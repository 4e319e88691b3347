package search

import (
	"slices"

	"parcorels/bitvec"
)

// This file evaluates all lists that have one rule more at a place, from counts alone. To
// replace a rule is to add one to the list without it.
//
// Let rule j of a list capture the set C_j; the last set is that of the default. A rule with
// antecedent a that is put before rule j takes from C_j what satisfies a, and from every later
// set, and moves no sample otherwise. So F of the new list follows from how much of each C_j
// satisfies a, counted for all antecedents in one pass over the matrix.
//
// Counts take 32 bytes for each rule and antecedent, per worker.

// segmented is a list with the counts of what its rules capture.
type segmented struct {
	*list
	segments []*segment // by rule, then that of the default; those behind are not in use
}

// segment is what one rule captures, and how much of it satisfies each antecedent.
type segment struct {
	set    []uint64
	n1, n0 int64
	g1, g0 []int64
}

// set makes rules the list, of which the first from rules are what they were.
func (o *polisher) set(l *segmented, rules []int, from int) {
	p := o.p
	l.list.set(rules, from)
	for width := p.matrix.Blocks() * bitvec.Lanes; len(l.segments) <= len(rules); {
		l.segments = append(l.segments, &segment{set: make([]uint64, p.in.Words), g1: make([]int64, width), g0: make([]int64, width)})
	}
	for j := from; j <= len(rules); j++ {
		s := l.segments[j]
		copy(s.set, l.left[j])
		if j < len(rules) {
			bitvec.And(s.set, s.set, p.in.Columns[rules[j]])
		}
		s.n1, s.n0 = p.in.Planes.Cost(s.set)
		p.in.Planes.Compile(&o.prog, s.set)
		p.matrix.Count(&o.prog, 0, p.matrix.Blocks(), s.g1, s.g0)
	}
}

// tryRules tries each antecedent as one more rule of l at place from.
func (o *polisher) tryRules(l *segmented, from int) {
	clear(o.taken1)
	clear(o.taken0)
	clear(o.rest)
	for _, s := range l.segments[from : len(l.rules)+1] {
		n1, n0, g1, g0 := s.n1, s.n0, s.g1, s.g0
		for a := range o.rest {
			o.taken1[a] += g1[a]
			o.taken0[a] += g0[a]
			o.rest[a] += o.p.leaf(n1-g1[a], n0-g0[a])
		}
	}
	added := o.priors(l.rules, from)
	for a, card := range o.p.card {
		value := l.sum[from] + o.p.leaf(o.taken1[a], o.taken0[a]) + o.rest[a] + added[card]
		if value >= o.best.value && !slices.Contains(l.rules, a) {
			o.trial = slices.Insert(append(o.trial[:0], l.rules...), from, a)
			o.offer(value, o.trial)
		}
	}
}
