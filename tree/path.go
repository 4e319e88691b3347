package tree

import (
	"strings"

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
				list = append(list, piece{text: condition(split, false)})
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
	if b, ok := boundsOf(l); ok {
		for i := range list {
			if list[i].literal == nil || list[i].literal.Column != l.Column {
				continue
			}
			if a, ok := boundsOf(*list[i].literal); ok {
				narrowed := a.with(b).literal(l)
				list[i] = piece{narrowed.Name, &narrowed}
				return list
			}
		}
	}
	return append(list, piece{l.Name, &l})
}

// bounds are what a literal says of a number, low < x ≤ high, with the texts of
// both; nil is unbounded.
type bounds struct {
	low, high         *float64
	lowText, highText string
}

// boundsOf returns the bounds of a literal that is nothing but bounds. That one does not
// hold is the other one only if no cell is missing.
func boundsOf(l model.Literal) (b bounds, ok bool) {
	t := l.Test
	if t.Kind != dataset.Threshold || l.Negated && (!t.Complete || t.Low != nil && t.High != nil) {
		return b, false
	}
	if b.low, b.high = t.Low, t.High; l.Negated {
		b.low, b.high = t.High, t.Low
	}
	switch {
	case b.low != nil && b.high != nil:
		b.lowText, b.highText, ok = strings.Cut(l.Name, " < "+l.Column+" ≤ ")
	case b.low != nil:
		b.lowText, ok = strings.CutPrefix(l.Name, l.Column+" > ")
	case b.high != nil:
		b.highText, ok = strings.CutPrefix(l.Name, l.Column+" ≤ ")
	}
	return b, ok
}

// with returns what holds where a and b do.
func (a bounds) with(b bounds) bounds {
	if b.low != nil && (a.low == nil || *b.low > *a.low) {
		a.low, a.lowText = b.low, b.lowText
	}
	if b.high != nil && (a.high == nil || *b.high < *a.high) {
		a.high, a.highText = b.high, b.highText
	}
	return a
}

// literal returns the literal of the bounds, on the column of l.
func (a bounds) literal(l model.Literal) model.Literal {
	l.Negated, l.Test.Low, l.Test.High = false, a.low, a.high
	switch {
	case a.high == nil:
		l.Name = l.Column + " > " + a.lowText
	case a.low == nil:
		l.Name = l.Column + " ≤ " + a.highText
	default:
		l.Name = a.lowText + " < " + l.Column + " ≤ " + a.highText
	}
	return l
}
