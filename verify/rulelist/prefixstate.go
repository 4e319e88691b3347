package rulelist

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

// set makes l a copy of another state, in memory of its own.
func (l *prefixState) set(at *prefixState) {
	*l = prefixState{append(l.prefix[:0], at.prefix...), at.cost, append(l.left[:0], at.left...), append(l.sum[:0], at.sum...),
		append(l.rows[:0], at.rows...), at.few, at.smaller}
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
