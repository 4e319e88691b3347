package tree

import (
	"io"
	"strings"

	"parcorels/model"
)

// Model is a learned decision tree with everything that it takes to print it, to
// judge it and to predict on new raw tables. It comes from New or Decode; read it
// as freely as needed, by any number of goroutines, and change nothing.
type Model struct {
	model.Origin
	model.Optimum
	model.Frame
	MaxDepth int    `json:"max_depth"` // most splits on a path that the search allowed; 0: no limit
	Nodes    []Node `json:"nodes"`     // in preorder, the root first
}

// Model implements the interface that all families share.
var _ model.Model = (*Model)(nil)

// Node is a split or a leaf. Its counts are of the training samples that reach
// it, and its class is the one that weighs most among them.
type Node struct {
	Test     string          `json:"test,omitempty"`     // the literals' names joined by " and "; "" of a leaf
	Literals []model.Literal `json:"literals,omitempty"` // all hold on the side that follows; none of a leaf
	Else     int             `json:"else,omitempty"`     // the node of the other side; 0 of a leaf
	Class    int             `json:"predict"`
	model.Counts
}

// Leaf reports whether n is a leaf.
func (n *Node) Leaf() bool { return len(n.Literals) == 0 }

// Family returns model.Tree.
func (m *Model) Family() model.Family { return model.Tree }

// Leaves returns the number of leaves.
func (m *Model) Leaves() int { return (len(m.Nodes) + 1) / 2 }

// Depth returns the most splits on a path.
func (m *Model) Depth() int {
	deepest := 0
	m.walk(func(_ int, p path) { deepest = max(deepest, len(p)) })
	return deepest
}

// path is the way from the root to a node.
type path []step

// step is a split on a path, and the side that was taken.
type step struct {
	node  int
	holds bool
}

// walk calls visit with each node and the path to it, in preorder.
func (m *Model) walk(visit func(node int, p path)) {
	var p path
	for i := range m.Nodes {
		for len(p) > 0 && p[len(p)-1].holds && m.Nodes[p[len(p)-1].node].Else == i {
			p[len(p)-1].holds = false
			break
		}
		visit(i, p)
		if !m.Nodes[i].Leaf() {
			p = append(p, step{i, true})
			continue
		}
		for len(p) > 0 && !p[len(p)-1].holds {
			p = p[:len(p)-1]
		}
	}
}

// Cases returns a case per leaf, in preorder. A leaf asks for the tests that hold
// on its path; where one does not, a leaf further down decides.
func (m *Model) Cases() (cases []model.Case) {
	m.walk(func(i int, p path) {
		n := &m.Nodes[i]
		if !n.Leaf() {
			return
		}
		c := model.Case{Class: n.Class, Counts: n.Counts, Path: []model.Literal{}}
		for _, s := range p {
			if s.holds {
				c.When = append(c.When, m.Nodes[s.node].Literals...)
			}
		}
		var words []string
		for _, said := range m.pieces(p) {
			words = append(words, said.text)
			if said.literal != nil {
				c.Path = append(c.Path, *said.literal)
			}
		}
		c.Text = strings.Join(words, " and ")
		cases = append(cases, c)
	})
	return cases
}

// Certificate returns what the search found and proved.
func (m *Model) Certificate() model.Certificate {
	var leaves []model.Case // without their paths, which take long
	for i := range m.Nodes {
		if n := &m.Nodes[i]; n.Leaf() {
			leaves = append(leaves, model.Case{Class: n.Class, Counts: n.Counts})
		}
	}
	return m.Optimum.Certificate(m.Origin, leaves, len(leaves), "leaf")
}

// Codec reads and writes the model files of this family.
var Codec = model.Codec[Model]{Family: model.Tree, Version: 1, Check: (*Model).check}

// Encode writes the model as an indented JSON object. The same model always gives the same
// bytes.
func (m *Model) Encode(w io.Writer) error { return Codec.Encode(w, m) }
