package rulelist

import "slices"

// prefixState is a prefix, counted: its cost and what it leaves.
type prefixState struct {
	prefix []uint16
	cost   int64
	left   []uint64
	sum    []int64  // of what it leaves
	rows   []uint64 // samples that it leaves; nil where their number does not matter
	few    bool     // it has a rule that may not be

	smaller bool // than the claimed list, as a complete one
}

// start is the state of the empty prefix.
func (p *problem) start() prefixState {
	return prefixState{cost: p.unit * p.base, left: slices.Clone(p.all), sum: slices.Clone(p.groups.sum), rows: p.everyRow()}
}

// append makes the prefix longer by a rule that captures a sum.
func (l *prefixState) append(p *problem, antecedent uint16, sum []int64) {
	l.few = l.few || !p.ruleMay(l.rows, int(antecedent))
	if l.rows != nil {
		remove(l.rows, l.rows, p.samples.Captured[antecedent])
	}
	_, loses := p.label(int(antecedent), sum)
	l.cost += p.unit*loses + p.price
	less(l.sum, l.sum, sum)
	remove(l.left, l.left, p.captured[antecedent])
	l.prefix = append(l.prefix, antecedent)
}

// count makes l the state of a prefix, and notes it if it is one that must not be.
func (w *walker) count(l *prefixState, prefix []uint16) *prefixState {
	p := w.problem
	*l = prefixState{
		prefix: l.prefix[:0], cost: p.unit * p.base, left: append(l.left[:0], p.all...), sum: append(l.sum[:0], p.groups.sum...),
		rows: p.everyRow(),
	}
	for _, a := range prefix {
		l.append(p, a, p.countAnd(w.captures, l.left, p.captured[a]))
	}
	_, loses := p.best(l.sum)
	if l.smaller = !l.few && p.isSmaller(l.cost+p.unit*loses, prefix); l.smaller {
		w.smaller = l
	}
	return l
}
