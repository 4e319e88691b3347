package tree

import (
	"fmt"
	"html"
	"strings"
	"unicode/utf8"

	"parcorels/internal/wording"
)

// Measures of the drawing, in pixels. Letters are taken to be as wide as those of
// a monospaced font.
const (
	letterWidth = 7.3
	lineHeight  = 17.0
	boxPadding  = 8.0
	boxGap      = 14.0
	levelGap    = 46.0
	margin      = 12.0
	mostLetters = 24 // of a line: what is left out can be seen by pointing at it
)

// Width and height of the picture of a split, in pixels.
const PictureWidth = 160
const PictureHeight = 40

// Drawing says what a drawing of a tree shows beside the tree.
type Drawing struct {
	Marked  []int                 // cases, by their numbers: the ways to them are marked
	Picture func(node int) string // SVG for the box of a split, "" for none; nil: no split has one
}

// SVG returns a drawing of the tree, for web pages and documents. The side where
// a test holds is on the left.
func (m *Model) SVG(d Drawing) string {
	s := svg{Drawing: d, model: m, boxes: make([]svgBox, len(m.Nodes)), marked: map[int]bool{}}
	ways := m.Ways()
	for _, leaf := range d.Marked {
		for _, node := range ways[leaf] {
			s.marked[node] = true
		}
	}
	s.place(0, 0)
	return s.text()
}

// Ways returns the nodes on the way to each case, from the root to its leaf.
func (m *Model) Ways() (ways [][]int) {
	m.walk(func(i int, p path) {
		if m.Nodes[i].Leaf() {
			var way []int
			for _, step := range p {
				way = append(way, step.node)
			}
			ways = append(ways, append(way, i))
		}
	})
	return ways
}

// svg is a drawing of a tree.
type svg struct {
	Drawing
	model         *Model
	boxes         []svgBox
	marked        map[int]bool // nodes on the way to a case
	right, bottom float64
}

// svgBox is the box of a node: x of its middle, y of its upper edge.
type svgBox struct {
	x, y, width, height float64
	lines               []string
	picture             string
}

// place puts a node and all below it: leaves side by side, a split above the
// middle of its sides. It returns the middle of the node.
func (s *svg) place(node int, y float64) float64 {
	b := &s.boxes[node]
	b.lines, b.y = s.model.box(node), y
	for _, line := range b.lines {
		b.width = max(b.width, float64(wording.Width(clipped(line)))*letterWidth+2*boxPadding)
	}
	b.height = float64(len(b.lines))*lineHeight + 2*boxPadding
	n := &s.model.Nodes[node]
	if s.Picture != nil && !n.Leaf() {
		if b.picture = s.Picture(node); b.picture != "" {
			b.width = max(b.width, PictureWidth+2*boxPadding)
			b.height += PictureHeight + boxPadding
		}
	}
	s.bottom = max(s.bottom, y+b.height)
	if n.Leaf() {
		b.x = s.right + b.width/2
		s.right += b.width + boxGap
		return b.x
	}
	left := s.right
	below := y + b.height + levelGap
	b.x = (s.place(node+1, below) + s.place(n.Else, below)) / 2
	b.x = max(b.x, left+b.width/2)
	s.right = max(s.right, b.x+b.width/2+boxGap)
	return b.x
}

func (s *svg) text() string {
	var b strings.Builder
	width, height := s.right-boxGap+2*margin, s.bottom+2*margin
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" font-family="monospace" font-size="12">`+"\n",
		width, height, width, height)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" fill="white"/>`+"\n"+`<g transform="translate(%.0f,%.0f)" text-anchor="middle">`+"\n", margin, margin)
	for i := range s.boxes {
		if n := &s.model.Nodes[i]; !n.Leaf() {
			s.edge(&b, i, i+1, "yes")
			s.edge(&b, i, n.Else, "no")
		}
	}
	for i := range s.boxes {
		s.box(&b, i)
	}
	b.WriteString("</g>\n</svg>\n")
	return b.String()
}

// edge draws the line from a split to a side.
func (s *svg) edge(b *strings.Builder, from, to int, label string) {
	p, q := &s.boxes[from], &s.boxes[to]
	y := p.y + p.height
	fmt.Fprintf(b, `<path d="M%.1f %.1fL%.1f %.1f" stroke="#666"%s/>`+"\n", p.x, y, q.x, q.y, s.stroke(from, to))
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" fill="#444" stroke="white" stroke-width="4" paint-order="stroke">%s</text>`+"\n",
		(p.x+q.x)/2, (y+q.y)/2+4, label)
}

// box draws a node.
func (s *svg) box(b *strings.Builder, node int) {
	at, n := &s.boxes[node], &s.model.Nodes[node]
	fill, radius, ink := "white", 0, ""
	if n.Leaf() {
		fill, radius, ink = s.model.fill(n), 8, ` fill="#1b2330"` // on a light ground also where a page is dark
	}
	fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="%d" fill="%s" stroke="#333"%s/>`+"\n",
		at.x-at.width/2, at.y, at.width, at.height, radius, fill, s.stroke(node))
	for i, line := range at.lines {
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f"%s>`, at.x, at.y+boxPadding+lineHeight*(float64(i)+.75), ink)
		if short := clipped(line); short != line {
			b.WriteString("<title>" + escaped(line) + "</title>")
			line = short
		}
		b.WriteString(escaped(line) + "</text>\n")
	}
	if at.picture != "" {
		fmt.Fprintf(b, `<g transform="translate(%.1f,%.1f)">%s</g>`+"\n", at.x-PictureWidth/2, at.y+at.height-PictureHeight-boxPadding,
			at.picture)
	}
}

// stroke is the width of a line on the way to a case.
func (s *svg) stroke(nodes ...int) string {
	for _, n := range nodes {
		if !s.marked[n] {
			return ""
		}
	}
	return ` stroke-width="3"`
}

// clipped returns a line of at most mostLetters, without its middle if it is longer: a name begins, a value ends.
func clipped(line string) string {
	letters := []rune(line)
	if len(letters) <= mostLetters {
		return line
	}
	return string(letters[:mostLetters/2]) + "…" + string(letters[len(letters)-mostLetters/2+1:])
}

// escaped returns a text as XML has it: without the characters that XML cannot hold.
// (Nothing else of package encoding/xml is needed, which would make the program larger.)
func escaped(text string) string {
	return html.EscapeString(strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' || r == 0xFFFE || r == 0xFFFF {
			return utf8.RuneError
		}
		return r
	}, text))
}

// box returns the lines that stand in the box of a node.
func (m *Model) box(node int) []string {
	n := &m.Nodes[node]
	if n.Leaf() {
		right, _ := n.Right(n.Class)
		return []string{m.label(node), wording.Count(n.Captured(), "sample"), right + " right"}
	}
	var lines []string
	for i, l := range n.Literals {
		line := wording.Printable(l.Name)
		if i > 0 {
			line = "and " + line
		}
		lines = append(lines, line)
	}
	lines[len(lines)-1] += "?"
	return lines
}

// palette has colours that can be told apart, light enough for black letters.
var palette = []string{"#f4c7ab", "#b5d6e0", "#cfe3b4", "#e3c8e6", "#f3e3a1", "#d5d5d5"}

// fill returns the colour of a leaf, by its class.
func (m *Model) fill(n *Node) string { return palette[n.Class%len(palette)] }
