package search

import (
	"cmp"
	"slices"

	"parcorels/bitvec"
)

// list is a rule list with the sets that its prefixes leave, so that a change at
// one rule costs no look at those before it.
type list struct {
	p     *posterior
	rules []int
	left  [][]uint64 // left[j] is what the first j rules do not capture
	use   []used     // use[j] counts the cardinalities of the first j rules
	sum   []int64    // sum[j] is what the first j rules add to F
	value int64      // F
}

func newList(p *posterior) *list {
	l := &list{p: p, left: [][]uint64{p.all}, use: make([]used, 1), sum: []int64{0}}
	l.value = l.end(0)
	return l
}

// end is F of the first m rules with a default behind them.
func (l *list) end(m int) int64 {
	n1, n0 := l.p.in.Planes.Cost(l.left[m])
	return l.sum[m] + l.p.length[m] + l.p.leaf(n1, n0)
}

// set makes rules the list, of which the first from rules are what they were, and
// returns F.
func (l *list) set(rules []int, from int) int64 {
	for len(l.left) <= len(rules) {
		l.left = append(l.left, make([]uint64, l.p.in.Words))
		l.use, l.sum = append(l.use, used{}), append(l.sum, 0)
	}
	for j := from; j < len(rules); j++ {
		a := rules[j]
		column := l.p.in.Columns[a]
		n1, n0 := l.p.in.Planes.CostAnd(l.left[j], column)
		bitvec.AndNot(l.left[j+1], l.left[j], column)
		l.sum[j+1] = l.sum[j] + l.p.price(&l.use[j], a) + l.p.leaf(n1, n0)
		l.use[j+1] = l.use[j]
		l.use[j+1][l.p.card[a]]++
	}
	l.rules = append(l.rules[:0], rules...)
	if l.value = l.end(len(rules)); !l.p.allows(rules) {
		l.value = impossible
	}
	return l.value
}

// solution is a rule list by value. Between two, the larger F is better, then fewer
// rules, then the smaller antecedents: a strict total order.
type solution struct {
	value int64
	rules []int
}

func (l *list) solution() solution { return solution{l.value, slices.Clone(l.rules)} }

// Better reports whether s is better than another solution.
func (s solution) Better(than *solution) bool { return s.compare(than) < 0 }

// compare orders the better solution first.
func (s *solution) compare(than *solution) int {
	switch {
	case s.value != than.value:
		return cmp.Compare(than.value, s.value)
	case len(s.rules) != len(than.rules):
		return len(s.rules) - len(than.rules)
	}
	return slices.Compare(s.rules, than.rules)
}

// allows reports whether a list may be.
func (p *posterior) allows(rules []int) bool {
	if !p.may.falling && p.may.rows == nil {
		return true
	}
	set, last := append([]uint64(nil), p.all...), p.may.top()
	for _, a := range rules {
		column := p.in.Columns[a]
		n1, n0 := p.in.Planes.CostAnd(set, column)
		x := p.may.of(n1, n0)
		if !p.may.lets(x, last, set, column) {
			return false
		}
		bitvec.AndNot(set, set, column)
		last = x
	}
	n1, n0 := p.in.Planes.Cost(set)
	return p.may.of(n1, n0).atMost(last)
}

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
