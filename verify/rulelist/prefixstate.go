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
