package rulelist

import (
	"math"
	"strconv"
	"strings"

	"parcorels/internal/wording"
)

// defaultWidth is the number of columns that String keeps to where it can.
const defaultWidth = 80

// String returns the list as Text does, within 80 columns.
func (m *Model) String() string { return m.Text(defaultWidth) }

// Text returns the list the way people read it, a line per rule with what the
// rule captures and how often it is right there:
//
//	if   priors > 3         then yes   (1,921 of 6,489 samples, 65.9% right)
//	else if age in 21–22
//	    and priors in 2–3   then yes   (  310 of 6,489 samples, 61.2% right)
//	else                         no    (4,258 of 6,489 samples, 66.0% right)
//
// Conjunctions are broken before an "and" where the line would exceed width
// columns; width <= 0 breaks nothing. A single name is never broken, so a long
// one exceeds the width. Of weighted data the percentages are by weight, and a
// last line says so. Names and labels with characters that a terminal would
// interpret are quoted. The text ends with a newline.
func (m *Model) Text(width int) string {
	if len(m.Rules) == 0 {
		return "predict " + wording.Printable(m.Label(m.Default.Class)) + " for everyone   " +
			m.counts()[0] + "\n" + m.weightNote()
	}
	l := layout{counts: m.counts()}
	for i, line := range m.Lines() {
		l.heads = append(l.heads, pieces(i, line))
		l.labels = append(l.labels, wording.Printable(m.Label(line.Class)))
	}
	return l.text(width) + m.weightNote()
}

// pieces returns the words before "then" of line i: the first opens the line,
// each other one can stand on a line of its own.
func pieces(i int, line Line) []string {
	var p []string
	for _, l := range line.Literals {
		p = append(p, "and "+wording.Printable(l.Name))
	}
	switch {
	case len(p) == 0:
		return []string{"else"}
	case i == 0:
		p[0] = "if   " + strings.TrimPrefix(p[0], "and ")
	default:
		p[0] = "else if " + strings.TrimPrefix(p[0], "and ")
	}
	return p
}

// counts returns the parenthesis of every line, numbers aligned to the right.
func (m *Model) counts() []string {
	lines := m.Lines()
	var captured, right []string
	for _, l := range lines {
		captured = append(captured, wording.Thousands(l.Captured()))
		right = append(right, percent(l.CorrectWeight(), l.CapturedWeight()))
	}
	padLeft(captured)
	padLeft(right)
	total := wording.Thousands(m.Data.Samples)
	text := make([]string, len(lines))
	for i, l := range lines {
		text[i] = "(" + total + " samples"
		if len(lines) > 1 {
			text[i] = "(" + captured[i] + " of " + total + " samples"
		}
		if l.Captured() > 0 {
			text[i] += ", " + right[i] + " right"
		}
		text[i] += ")"
	}
	return text
}

// weightNote is the last line of the text of weighted data, else empty.
func (m *Model) weightNote() string {
	if !m.Data.Weighted {
		return ""
	}
	total := float64(m.Data.Weight) / m.Data.WeightUnit.Float()
	weight := strconv.FormatFloat(total, 'g', 10, 64)
	if total == math.Trunc(total) && total < 1<<53 {
		weight = wording.Thousands(int64(total))
	}
	return "percentages by weight: " + wording.Thousands(m.Data.Samples) + " samples weigh " + weight + "\n"
}

// percent returns part of whole with one decimal, as in "65.9%". Only the
// whole is "100.0%" and only nothing is "0.0%": rounding never claims a rule
// to be perfect that is not. Empty if whole is zero.
func percent(part, whole int64) string {
	if whole == 0 {
		return ""
	}
	s := strconv.FormatFloat(100*float64(part)/float64(whole), 'f', 1, 64)
	switch {
	case s == "100.0" && part < whole:
		s = "99.9"
	case s == "0.0" && part > 0:
		s = "0.1"
	}
	return s + "%"
}
