package tree

import (
	"slices"

	"parcorels/dataset"
	"parcorels/model"
)

// A path may ask a column for one bound after the other: age ≤ 50, age > 20, age ≤ 33.
// People read of them what is left, 20 < age ≤ 33, where the first of them stood.

// piece is what people read of a path between two "and".
type piece struct {
	text    string
	literal *model.Literal // nil where a conjunction does not hold, which is none
}

// pieces returns what a path says.
func (m *Model) pieces(p path) (list []piece) {
	for _, s := range p {
		split := &m.Nodes[s.node]
		literals := split.Literals
		if !s.holds {
			if len(literals) > 1 {
				list = append(list, piece{text: "not (" + split.Test + ")"})
				continue
			}
			literals = []model.Literal{negation(literals[0])}
		}
		for _, l := range literals {
			list = addPiece(list, l)
		}
	}
	return list
}

// addPiece appends a literal, or narrows the earlier one on the same column.
func addPiece(list []piece, l model.Literal) []piece {
	if b, ok := bounds(l); ok {
		for i := range list {
			if a := list[i].literal; a == nil || a.Column != l.Column || a.Test.Kind != l.Test.Kind {
				continue
			}
			if a, ok := bounds(*list[i].literal); ok {
				narrowed := narrower(a, b)
				list[i] = piece{narrowed.Name, &narrowed}
				return list
			}
		}
	}
	return append(list, piece{l.Name, &l})
}

// bounds returns a literal that is nothing but bounds of a number, as one that is not negated: low < x ≤ high of a threshold,
// low ≤ x < high of a cut. That one does not hold is the other one only if no cell is missing.
func bounds(l model.Literal) (_ model.Literal, ok bool) {
	t := &l.Test
	if !bounded(l) || l.Negated && (!t.Complete || t.Low != nil && t.High != nil) {
		return l, false
	}
	if l.Negated {
		l.Negated, t.Low, t.High = false, t.High, t.Low
	}
	return l, true
}

// narrower returns what holds where two bounds of a column do.
func narrower(a, b model.Literal) model.Literal {
	low, high := a.Test.Low, a.Test.High
	if x := b.Test.Low; x != nil && (low == nil || *x > *low) {
		low = x
	}
	if x := b.Test.High; x != nil && (high == nil || *x < *high) {
		high = x
	}
	for _, l := range []model.Literal{a, b} {
		if l.Test.Low == low && l.Test.High == high {
			return l
		}
	}
	b.Test.Low, b.Test.High = low, high
	signs := []string{" < ", " ≤ "}
	if b.Test.Kind == dataset.Interval {
		slices.Reverse(signs)
	}
	b.Name = b.Test.Format(*low) + signs[0] + b.Column + signs[1] + b.Test.Format(*high)
	return b
}
