package ruleset

import (
	"fmt"
	"strings"

	"parcorels/internal/wording"
	"parcorels/model"
)

// String returns the set as Text does, within 80 columns.
func (m *Model) String() string { return m.Text(model.DefaultWidth) }

// Text returns the rule set as a sentence, with what each rule covers and how often
// it is right there:
//
//	if   priors > 3                          then yes   (1,921 of 6,489 samples, 65.9% right)
//	or   20 < age ≤ 22 and 1 < priors ≤ 3    then yes   (  412 of 6,489 samples, 60.0% right)
//	else                                          no    (4,258 of 6,489 samples, 66.0% right)
//
// Samples that several rules cover are counted in each of their lines, and a note
// says how many there are.
func (m *Model) Text(width int) string {
	cases := m.Cases()
	for i, r := range m.Rules {
		cases[i].Counts = r.Covers
	}
	counts := model.CountTexts(&m.Frame, cases)
	if len(m.Rules) == 0 || len(m.Rules[0].Literals) == 0 {
		first := cases[0]
		return "predict " + wording.Printable(m.Label(first.Class)) + " for everyone   " +
			model.CountTexts(&m.Frame, cases[:1])[0] + "\n" + m.Below(cases, width)
	}
	l := model.Layout{Counts: counts}
	for i, c := range cases {
		l.Add(&m.Frame, i, c)
		if head := l.Heads[i]; i > 0 && i < len(m.Rules) {
			head[0] = "or   " + strings.TrimPrefix(head[0], "else if ")
		}
	}
	return l.Text(width) + m.overlapNote() + m.Below(cases, width)
}

// overlapNote says how many samples several rules cover, if any.
func (m *Model) overlapNote() string {
	var holds, covered int64
	for _, r := range m.Rules {
		holds += r.Covers.Captured()
		covered += r.Captured()
	}
	if holds == covered {
		return ""
	}
	return fmt.Sprintf("the rules overlap: where any holds, %.2f hold on average\n", float64(holds)/float64(covered))
}
