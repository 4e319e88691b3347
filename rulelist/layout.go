package rulelist

import (
	"strings"
	"unicode/utf8"
)

const (
	columnGap = "   " // between the columns of the text
	minHead   = 20    // columns that the antecedents get however narrow the page
)

// layout is the text of a list in three columns: the antecedents ("heads",
// each in pieces that a line may be broken between), the labels, the counts.
type layout struct {
	heads  [][]string
	labels []string
	counts []string
}

// text sets the columns within width where names allow it.
func (l layout) text(width int) string {
	room := l.room(width)
	column := l.headWidth(room)
	labels := append([]string(nil), l.labels...)
	padRight(labels)
	var b strings.Builder
	for i, head := range l.heads {
		lines := fill(head, room)
		last := lines[len(lines)-1]
		for _, line := range lines[:len(lines)-1] {
			b.WriteString(line + "\n")
		}
		b.WriteString(last)
		if columns(last) > column {
			b.WriteString("\n")
			last = ""
		}
		b.WriteString(strings.Repeat(" ", column-columns(last)) + columnGap)
		b.WriteString(l.verb(i) + labels[i] + columnGap + l.counts[i] + "\n")
	}
	return b.String()
}

// verb returns what stands before label i: nothing in the default's line.
func (l layout) verb(i int) string {
	if i == len(l.heads)-1 {
		return "     "
	}
	return "then "
}

// room returns how many columns the antecedents may take; 0 is no limit.
func (l layout) room(width int) int {
	if width <= 0 {
		return 0
	}
	tail := 2*len(columnGap) + len("then ") + widest(l.labels) + widest(l.counts)
	return max(width-tail, minHead)
}

// headWidth returns the column after which "then" stands: the widest line of
// an antecedent that keeps to room.
func (l layout) headWidth(room int) int {
	w := 0
	for _, head := range l.heads {
		for _, line := range fill(head, room) {
			if n := columns(line); n > w && (room == 0 || n <= room) {
				w = n
			}
		}
	}
	return w
}

// fill joins pieces into lines of at most room columns (0: one line), all but
// the first indented.
func fill(pieces []string, room int) []string {
	lines := []string{pieces[0]}
	for _, p := range pieces[1:] {
		last := &lines[len(lines)-1]
		if room == 0 || columns(*last)+1+columns(p) <= room {
			*last += " " + p
			continue
		}
		lines = append(lines, "    "+p)
	}
	return lines
}

// columns returns the width of s on a page, taking each character for one.
func columns(s string) int { return utf8.RuneCountInString(s) }

func widest(texts []string) int {
	w := 0
	for _, t := range texts {
		w = max(w, columns(t))
	}
	return w
}

func padLeft(texts []string) {
	w := widest(texts)
	for i, t := range texts {
		texts[i] = strings.Repeat(" ", w-columns(t)) + t
	}
}

func padRight(texts []string) {
	w := widest(texts)
	for i, t := range texts {
		texts[i] = t + strings.Repeat(" ", w-columns(t))
	}
}
