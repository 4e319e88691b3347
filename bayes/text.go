package bayes

import (
	"fmt"

	"parcorels/internal/wording"
	"parcorels/model"
)

// String returns the list as Text does, within 80 columns.
func (m *Model) String() string { return m.Text(model.DefaultWidth) }

// Text returns the list with the probability of class 1 in each line and the interval
// that holds 95% of its posterior:
//
//	if   priors > 3                  then P(yes) = 65.9%   (63.7%–68.0%; 1,921 of 6,489 samples)
//	else                                  P(yes) = 34.0%   (32.6%–35.4%; 4,568 of 6,489 samples)
func (m *Model) Text(width int) string {
	l := model.Layout{}
	total := wording.Thousands(m.Data.Samples)
	label := wording.Printable(m.Label(1))
	cases := m.Cases()
	for i, c := range cases {
		line := m.Lines()[i]
		l.Add(&m.Frame, i, c)
		l.Labels[i] = fmt.Sprintf("P(%s) = %4.1f%%", label, 100*line.Mean)
		l.Counts = append(l.Counts, fmt.Sprintf("(%.1f%%–%.1f%%; %s of %s samples)", 100*line.Low, 100*line.High,
			wording.Thousands(c.Captured()), total))
	}
	if len(m.Rules) == 0 {
		return "predict " + l.Labels[0] + " for everyone   " + l.Counts[0] + "\n" + m.Below(cases, width)
	}
	return l.Text(width) + m.Below(cases, width)
}
