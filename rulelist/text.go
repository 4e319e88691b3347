package rulelist

import (
	"parcorels/internal/wording"
	"parcorels/model"
)

// String returns the list as Text does, within 80 columns.
func (m *Model) String() string { return m.Text(model.DefaultWidth) }

// Text returns the list the way people read it, a line per rule with what the
// rule captures and how often it is right there:
//
//	if   priors > 3          then yes   (1,921 of 6,489 samples, 65.9% right)
//	else if 20 < age ≤ 22
//	    and 1 < priors ≤ 3  then yes   (  310 of 6,489 samples, 61.2% right)
//	else                          no    (4,258 of 6,489 samples, 66.0% right)
//
// Conjunctions are broken before an "and" where the line would exceed width
// columns; width <= 0 breaks nothing. A single name is never broken, so a long
// one exceeds the width. With weighted data, shares by weight stand behind those
// of samples, and a last line tells the weight. Names and labels with characters that a terminal would
// interpret are quoted. The text ends with a newline.
func (m *Model) Text(width int) string {
	cases := m.Cases()
	counts := model.CountTexts(&m.Frame, cases)
	if len(m.Rules) == 0 {
		return "predict " + wording.Printable(m.Label(m.Default.Class)) + " for everyone   " +
			counts[0] + "\n" + m.Below(cases, width)
	}
	l := model.Layout{Counts: counts}
	for i, c := range cases {
		l.Add(&m.Frame, i, c)
	}
	return l.Text(width) + m.Below(cases, width)
}
