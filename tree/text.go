package tree

import (
	"strings"

	"parcorels/dataset"
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
	text := m.draw(wide, 0, counts)
	if width > 0 && wording.Widest(strings.Split(text, "\n")) > width {
		text = m.draw(narrow, width, counts)
	}
	return text + m.Below(cases, width)
}

func (m *Model) label(node int) string { return wording.Printable(m.Label(m.Nodes[node].Class)) }

// rails are the pieces that connect nodes: before the two sides of a split, and
// below them.
type rails struct{ then, otherwise, past, under string }

var wide = rails{"├─ then ", "└─ else ", "│  ", "   "}
var narrow = rails{"├then ", "└else ", "│ ", "  "}

const gap = "   " // before the counts

// draw returns the drawing with these rails; conjunctions are broken at width if it is not 0.
func (m *Model) draw(r rails, width int, counts []string) string {
	d := drawing{model: m, rails: r, width: width}
	d.add(0, "", "")
	var leaves []string
	for _, at := range d.leaves {
		leaves = append(leaves, d.lines[at])
	}
	wording.Pad(leaves, true)
	for i, at := range d.leaves {
		d.lines[at] = leaves[i] + gap + counts[i]
	}
	return strings.Join(d.lines, "\n") + "\n"
}

// drawing is a tree being drawn.
type drawing struct {
	model *Model
	rails rails
	width int

	lines  []string
	leaves []int // the lines of leaves
}

// add draws a node and what is below it: a first line that begins with before, and others that begin with below.
func (d *drawing) add(node int, before, below string) {
	n := &d.model.Nodes[node]
	if n.Leaf() {
		d.lines, d.leaves = append(d.lines, before+d.model.label(node)), append(d.leaves, len(d.lines))
		return
	}
	pieces := []string{before + "if " + wording.Printable(n.Literals[0].Name)}
	for _, l := range n.Literals[1:] {
		pieces = append(pieces, "and "+wording.Printable(l.Name))
	}
	d.lines = append(d.lines, model.FillBehind(below+"│    ", pieces, d.width)...)
	d.add(node+1, below+d.rails.then, below+d.rails.past)
	d.add(n.Else, below+d.rails.otherwise, below+d.rails.under)
}

// opposites are relations in names, each beside what holds where it does not.
var opposites = [][2]string{{" = ", " ≠ "}, {" ≤ ", " > "}, {" < ", " ≥ "}, {" in ", " not in "}}

// negation returns the literal that holds where l does not. A bound on a column
// with missing values has no opposite: neither bound holds of a missing one.
func negation(l model.Literal) model.Literal {
	l.Negated = !l.Negated
	l.Name = opposite(l)
	return l
}

// bounded reports whether a literal compares a number: with a threshold, or with a cut that was asked for.
func bounded(l model.Literal) bool {
	return l.Test.Kind == dataset.Threshold || l.Test.Kind == dataset.Interval
}

func opposite(l model.Literal) string {
	if bare, negated := strings.CutPrefix(l.Name, "not "); negated {
		return bare
	}
	if bounded(l) && !l.Test.Complete || l.Test.Low != nil && l.Test.High != nil {
		return "not " + l.Name
	}
	for _, o := range opposites {
		for i, relation := range o {
			if strings.Count(l.Name, relation) == 1 {
				return strings.Replace(l.Name, relation, o[1-i], 1)
			}
		}
	}
	return "not " + l.Name
}
