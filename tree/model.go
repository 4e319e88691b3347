// Package tree is a learned decision tree: its splits and leaves, what each of
// them held in the data, and everything that it takes to predict on new raw
// tables. Begin with [New], which makes one of what a search returned, or [Codec].
//
//	if jacket_color = red
//	├─ then yes                    (108 of 432 samples, 100.0% right)
//	└─ else if head_shape = round
//	   ├─ then …
//
// A [Model] holds its nodes in preorder: a split, then the side where its test
// holds, then the other side. The test of a split is a conjunction of literals,
// most often one, each a [dataset.Test] of one raw cell or its negation.
//
// # Predictions
//
// A Model implements model.Model with a case for each leaf, so the packages beside it
// predict with it, evaluate it and explain it. A cell that cannot be
// judged goes to the side where the test does not hold.
//
// # Invariants
//
//   - Every sample reaches exactly one leaf, and the counts of a split are those
//     of its two sides together.
//   - Objective = (weight of errors)/(total weight) + λ·(number of leaves), and
//     0 ≤ lower bound ≤ objective; they are equal if the status is "optimal".
//   - Every literal's column is among the model's columns.
package tree

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/bits-and-blooms/bitset"

	"parcorels/model"
	"parcorels/rules"
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

// New makes the model of a tree on the data that set was made from. Preorder is
// the tree as a search returns it: an index of an antecedent for each split,
// −1−class for each leaf, and the side where the antecedent holds first.
//
// It returns an error when the counts,
// which New takes from the captured sets and the labels, contradict meta.
func New(set *rules.Set, preorder []int, meta model.Meta) (*Model, error) {
	m := &Model{MaxDepth: meta.Most}
	m.Origin, m.Optimum, m.Frame = meta.Begin(set)
	b := builder{set: set, model: m, left: preorder}
	b.add(bitset.New(uint(set.Data.N)).FlipRange(0, uint(set.Data.N)), model.NewCounter(set.Data))
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("the tree does not fit the data: %w", err)
	}
	return m, nil
}

// builder makes nodes of a preorder.
type builder struct {
	set   *rules.Set
	model *Model
	left  []int // of the preorder
}

// add makes the node that left begins with, and those below it, for the samples
// that reach it. The counter has taken all samples of earlier leaves.
func (b *builder) add(reach *bitset.BitSet, c *model.Counter) model.Counts {
	at, what := len(b.model.Nodes), b.left[0]
	b.left = b.left[1:]
	if what < 0 {
		n := Node{Class: -1 - what, Counts: c.Take(reach)}
		b.model.Nodes = append(b.model.Nodes, n)
		return n.Counts
	}
	a := b.set.Antecedents[what]
	n := Node{Test: a.Name, Literals: b.model.Literals(b.set.Data, a.Literals)}
	b.model.Nodes = append(b.model.Nodes, n)
	with := b.add(reach.Intersection(a.Captured()), c)
	n.Else = len(b.model.Nodes)
	n.Counts = plus(with, b.add(reach.Difference(a.Captured()), c))
	n.Class = slices.Index(n.Weights, slices.Max(n.Weights))
	b.model.Nodes[at] = n
	return n.Counts
}

// plus adds the counts of two sides.
func plus(a, b model.Counts) (s model.Counts) {
	for c := range a.Samples {
		s.Samples = append(s.Samples, a.Samples[c]+b.Samples[c])
		s.Weights = append(s.Weights, a.Weights[c]+b.Weights[c])
	}
	return s
}

// check returns the first thing in which m contradicts itself. New and Decode both
// ask it, so that no model exists that it would refuse.
func (m *Model) check() error {
	return model.FirstError(m.Origin.Check, m.Frame.Check, m.checkShape, m.checkTests, m.checkCounts, m.checkObjective)
}

// checkShape checks that the nodes are the preorder of one tree.
func (m *Model) checkShape() error {
	if m.MaxDepth < 0 {
		return fmt.Errorf("max_depth is %d, expected 0 or more", m.MaxDepth)
	}
	if len(m.Nodes) == 0 {
		return errors.New("nodes is empty, expected at least a leaf")
	}
	var open []int // splits whose other side has not begun
	for i := range m.Nodes {
		n := &m.Nodes[i]
		if i > 0 && m.Nodes[i-1].Leaf() {
			if len(open) == 0 {
				return fmt.Errorf("the tree ends before nodes[%d]", i)
			}
			split := open[len(open)-1]
			open = open[:len(open)-1]
			if m.Nodes[split].Else != i {
				return fmt.Errorf("nodes[%d].else is %d, but its other side begins at %d", split, m.Nodes[split].Else, i)
			}
		}
		if !n.Leaf() {
			open = append(open, i)
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("nodes[%d] has no other side", open[len(open)-1])
	}
	if d := m.Depth(); m.MaxDepth > 0 && d > m.MaxDepth {
		return fmt.Errorf("the tree has depth %d, beyond max_depth %d", d, m.MaxDepth)
	}
	return nil
}

func (m *Model) checkTests() error {
	for i := range m.Nodes {
		n := &m.Nodes[i]
		if n.Leaf() {
			if n.Test != "" || n.Else != 0 {
				return fmt.Errorf("nodes[%d] has no literals, but a test or another side", i)
			}
			continue
		}
		if err := m.CheckLiterals(fmt.Sprintf("nodes[%d].literals", i), n.Literals); err != nil {
			return err
		}
		if name := model.Conjunction(n.Literals); n.Test != name {
			return fmt.Errorf("nodes[%d].test is %q, but its literals read %q", i, n.Test, name)
		}
	}
	return nil
}

// checkCounts checks that the leaves share out the samples, and that each split
// holds what its sides hold.
func (m *Model) checkCounts() error {
	var leaves []int
	for i := range m.Nodes {
		if m.Nodes[i].Leaf() {
			leaves = append(leaves, i)
		}
	}
	if err := m.CheckCounts(m.Cases(), func(i int) string { return fmt.Sprintf("nodes[%d]", leaves[i]) }); err != nil {
		return err
	}
	for i := len(m.Nodes) - 1; i >= 0; i-- {
		n := &m.Nodes[i]
		if n.Leaf() {
			continue
		}
		sum := plus(m.Nodes[i+1].Counts, m.Nodes[n.Else].Counts)
		if !slices.Equal(n.Samples, sum.Samples) || !slices.Equal(n.Weights, sum.Weights) {
			return fmt.Errorf("nodes[%d] does not hold what its sides hold together", i)
		}
		if heaviest := slices.Index(n.Weights, slices.Max(n.Weights)); n.Class != heaviest {
			return fmt.Errorf("nodes[%d].predict is %d, but class %d weighs most", i, n.Class, heaviest)
		}
	}
	return nil
}

// checkObjective recomputes the objective from the counts.
func (m *Model) checkObjective() error {
	return m.Optimum.Check(m.Status, m.Data.Weight, model.ErrorWeight(m.Cases()), m.Leaves(), m.MaxDepth > 0)
}
