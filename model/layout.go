package model

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"parcorels/dataset"
	"parcorels/internal/wording"
)

// DefaultWidth is the number of columns that String of a model keeps to.
const DefaultWidth = 80

const minHead = 20 // columns that the antecedents get however narrow the page

// Layout is the text of a list in three columns, a row per line of the list:
// what it asks for, what it predicts, and what it captured. The last row is the
// default's.
type Layout struct {
	Heads  [][]string // in pieces that a line may be broken between
	Labels []string
	Counts []string
}

// Add adds a line for case i of a list whose labels are f's: "if …", "else if …"
// or "else". Its counts are to be set by the caller, all at once.
func (l *Layout) Add(f *Frame, i int, c Case) {
	l.Heads = append(l.Heads, pieces(i, c.When))
	l.Labels = append(l.Labels, wording.Printable(f.Label(c.Class)))
}

// pieces returns the words before "then" of line i: the first opens the line,
// each other one can stand on a line of its own.
func pieces(i int, literals []Literal) []string {
	var p []string
	for _, l := range literals {
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

// Text sets the columns within width where names allow it. "Then" stands behind the widest line of an antecedent that keeps
// to its room, and no word in the default's line.
func (l Layout) Text(width int) string {
	room, column := l.room(width), 0
	heads := make([][]string, len(l.Heads))
	for i, head := range l.Heads {
		heads[i] = Fill(head, room)
		for _, line := range heads[i] {
			if n := wording.Width(line); room == 0 || n <= room {
				column = max(column, n)
			}
		}
	}
	labels := slices.Clone(l.Labels)
	wording.Pad(labels, true)
	var b strings.Builder
	for i, lines := range heads {
		last, verb := lines[len(lines)-1], "then "
		if lines = lines[:len(lines)-1]; wording.Width(last) > column {
			lines, last = append(lines, last), ""
		}
		for _, line := range lines {
			b.WriteString(line + "\n")
		}
		if i == len(heads)-1 {
			verb = "     "
		}
		fmt.Fprintf(&b, "%-*s", column, last)
		b.WriteString(wording.ColumnGap + verb + labels[i] + wording.ColumnGap + l.Counts[i] + "\n")
	}
	return b.String()
}

// room returns how many columns the antecedents may take; 0 is no limit.
func (l Layout) room(width int) int {
	if width <= 0 {
		return 0
	}
	tail := 2*len(wording.ColumnGap) + len("then ") + wording.Widest(l.Labels) + wording.Widest(l.Counts)
	return max(width-tail, minHead)
}

// Fill joins pieces into lines of at most room columns (0: one line), all but
// the first indented.
func Fill(pieces []string, room int) []string { return FillBehind("    ", pieces, room) }

// FillBehind is Fill with all lines but the first behind a text.
func FillBehind(indent string, pieces []string, room int) []string {
	lines := []string{pieces[0]}
	for _, p := range pieces[1:] {
		last := &lines[len(lines)-1]
		if room == 0 || wording.Width(*last)+1+wording.Width(p) <= room {
			*last += " " + p
			continue
		}
		lines = append(lines, indent+p)
	}
	return lines
}

// CountTexts returns the parenthesis of every case, numbers aligned to the right:
// "(1,921 of 6,489 samples, 65.9% right)", of weighted data with ", 70.1% by weight".
func CountTexts(f *Frame, cases []Case) []string {
	var captured, right, weighed []string
	for _, c := range cases {
		captured = append(captured, wording.Thousands(c.Captured()))
		share, byWeight := c.Right(c.Class)
		right, weighed = append(right, share), append(weighed, byWeight)
	}
	wording.Pad(captured, false)
	wording.Pad(right, false)
	wording.Pad(weighed, false)
	total := wording.Thousands(f.Data.Samples)
	text := make([]string, len(cases))
	for i, c := range cases {
		text[i] = "(" + wording.Count(f.Data.Samples, "sample")
		if len(cases) > 1 {
			text[i] = "(" + captured[i] + " of " + total + " samples"
		}
		if c.Captured() > 0 && !f.asks(c.Class) {
			text[i] += ", " + right[i] + " right"
			if f.Data.Weighted && !f.Gains() {
				text[i] += ", " + weighed[i] + " by weight"
			}
		}
		text[i] += ")"
	}
	return text
}

// Right returns the share of the samples of class, and the share of the weight that it has.
// Every text and page tells the share of samples first, and names that by weight as such.
func (c Counts) Right(class int) (samples, weight string) {
	return wording.Percent(c.Samples[class], c.Captured()), wording.Percent(c.Weights[class], c.CapturedWeight())
}

// Below returns the last lines of the text of a model: long groups of texts, one a line, and the weight of weighted data, unless that
// is their number.
func (f *Frame) Below(cases []Case, width int) string {
	var b strings.Builder
	seen := map[string]bool{}
	for _, c := range cases {
		for _, l := range c.Literals() {
			text := l.Spelled()
			_, values, _ := strings.Cut(text, ": ")
			if text == "" || seen[values] { // the other side of a split is no news
				continue
			}
			seen[values] = true
			for _, line := range Fill(strings.Split(wording.Printable(text), " "), max(width, 0)) {
				b.WriteString(line + "\n")
			}
		}
	}
	return b.String() + f.weightNote()
}

// Spelled returns a condition on many texts with all of them; "" for another.
func (l Literal) Spelled() string {
	if l.Test.Kind != dataset.Among || strings.HasSuffix(l.Name, "}") {
		return ""
	}
	return l.Name + ": " + strings.Join(l.Test.Values, ", ")
}

func (f *Frame) weightNote() string {
	if !f.Data.Weighted {
		return ""
	}
	total := float64(f.Data.Weight) / f.Data.WeightUnit.Float()
	weight := strconv.FormatFloat(total, 'g', 10, 64)
	if whole := math.Round(total); math.Abs(total-whole) <= 1e-9*total && whole < 1<<53 {
		if int64(whole) == f.Data.Samples {
			return ""
		}
		weight = wording.Thousands(int64(whole))
	}
	return "weights: " + wording.Thousands(f.Data.Samples) + " samples weigh " + weight + "\n"
}
