package tree

import (
	"fmt"

	"parcorels/model"
	"parcorels/rules"

	"github.com/bits-and-blooms/bitset"
)

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
	n.Class = heaviest(n.Weights)
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

// heaviest returns the class that weighs most, the first one of several.
func heaviest(weights []int64) (class int) {
	for c, w := range weights {
		if w > weights[class] {
			class = c
		}
	}
	return class
}
