package tree

import (
	"strings"
	"unicode/utf8"

	"parcorels/internal/wording"
	"parcorels/model"
)

// String returns the tree as Text does, within 80 columns.
func (m *Model) String() string { return m.Text(model.DefaultWidth) }

// Text draws the tree, a line per node, with what each leaf holds and how often
// it is right there:
//
//	if jacket_color = red
//	├─ then yes                    (108 of 432 samples, 100.0% right)
//	└─ else if head_shape = round
//	   ├─ then …
//
// Where the lines would exceed width columns, the drawing is first made narrower,
// and then conjunctions are broken before an "and"; width <= 0 changes nothing. A
// single name is never broken. With weighted data, shares by weight stand behind those of
// samples, and a last line tells the weight. Names and labels with characters that a terminal would
// interpret are quoted. The text ends with a newline.
func (m *Model) Text(width int) string {
	cases := m.Cases()
	counts := model.CountTexts(&m.Frame, cases)
	if len(m.Nodes) == 1 {
		return "predict " + m.label(0) + " for everyone   " + counts[0] + "\n" + m.Below(cases, width)
	}
	d := drawing{model: m, counts: counts, rails: wide}
	text := d.draw(0)
	if width > 0 && widest(text) > width {
		d.rails = narrow
		text = d.draw(width)
	}
	return text + m.Below(cases, width)
}

func (m *Model) label(node int) string { return wording.Printable(m.Label(m.Nodes[node].Class)) }

// rails are the pieces that connect nodes: before the two sides of a split, and
// below them.
type rails struct{ then, otherwise, past, under string }

var (
	wide   = rails{"├─ then ", "└─ else ", "│  ", "   "}
	narrow = rails{"├then ", "└else ", "│ ", "  "}
)

const gap = "   " // before the counts

// drawing is a tree being drawn.
type drawing struct {
	model  *Model
	counts []string
	rails  rails

	heads []string // lines so far; those of leaves with their number in leaf
	leaf  []int    // −1: the line is no leaf's
}

// draw returns the text; conjunctions are broken at width if it is not 0.
func (d *drawing) draw(width int) string {
	d.heads, d.leaf = nil, nil
	leaves := 0
	d.model.walk(func(i int, p path) {
		before, below := d.rails.of(p)
		n := &d.model.Nodes[i]
		if n.Leaf() {
			d.heads, d.leaf = append(d.heads, before+d.model.label(i)), append(d.leaf, leaves)
			leaves++
			return
		}
		for _, line := range broken(n, before+"if ", below, width) {
			d.heads, d.leaf = append(d.heads, line), append(d.leaf, -1)
		}
	})
	column := 0
	for i, h := range d.heads {
		if d.leaf[i] >= 0 {
			column = max(column, columns(h))
		}
	}
	var b strings.Builder
	for i, h := range d.heads {
		b.WriteString(h)
		if d.leaf[i] >= 0 {
			b.WriteString(strings.Repeat(" ", column-columns(h)) + gap + d.counts[d.leaf[i]])
		}
		b.WriteString("\n")
	}
	return b.String()
}

// of returns what stands before a node at the end of a path, and before further
// lines of the same node.
func (r rails) of(p path) (before, below string) {
	if len(p) == 0 {
		return "", ""
	}
	var b strings.Builder
	for _, s := range p[:len(p)-1] {
		if s.holds {
			b.WriteString(r.past)
		} else {
			b.WriteString(r.under)
		}
	}
	if p[len(p)-1].holds {
		return b.String() + r.then, b.String() + r.past
	}
	return b.String() + r.otherwise, b.String() + r.under
}

// broken returns the lines of a split: its literals, of which all but the first
// may begin a line.
func broken(n *Node, before, below string, width int) []string {
	lines := []string{before + wording.Printable(n.Literals[0].Name)}
	for _, l := range n.Literals[1:] {
		piece := "and " + wording.Printable(l.Name)
		last := &lines[len(lines)-1]
		if width == 0 || columns(*last)+1+columns(piece) <= width {
			*last += " " + piece
			continue
		}
		lines = append(lines, below+"│    "+piece)
	}
	return lines
}

// columns returns the width of s on a page, taking each character for one.
func columns(s string) int { return utf8.RuneCountInString(s) }

func widest(text string) (w int) {
	for line := range strings.SplitSeq(text, "\n") {
		w = max(w, columns(line))
	}
	return w
}
