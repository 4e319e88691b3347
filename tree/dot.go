package tree

import (
	"fmt"
	"strings"

	"parcorels/internal/wording"
)

// DOT returns the tree in the language of Graphviz: "dot -Tpdf" draws it.
func (m *Model) DOT() string {
	var b strings.Builder
	b.WriteString("digraph tree {\n\tnode [shape=box, fontname=\"sans-serif\"];\n\tedge [fontname=\"sans-serif\"];\n")
	for i := range m.Nodes {
		n := &m.Nodes[i]
		style := ""
		if n.Leaf() {
			style = ", style=\"rounded,filled\", fillcolor=\"" + m.fill(n) + "\""
		}
		lines := m.box(i)
		for k := range lines {
			lines[k] = strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(lines[k])
		}
		fmt.Fprintf(&b, "\tn%d [label=\"%s\"%s];\n", i, strings.Join(lines, `\n`), style)
	}
	for i := range m.Nodes {
		if n := &m.Nodes[i]; !n.Leaf() {
			fmt.Fprintf(&b, "\tn%d -> n%d [label=\"yes\"];\n\tn%d -> n%d [label=\"no\"];\n", i, i+1, i, n.Else)
		}
	}
	b.WriteString("}\n")
	return b.String()
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
