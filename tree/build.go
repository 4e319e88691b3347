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
// It returns an error when preorder is no tree on the set, or when the counts,
// which New takes from the captured sets and the labels, contradict meta.
func New(set *rules.Set, preorder []int, meta model.Meta) (*Model, error) {
	m := &Model{MaxDepth: meta.Most}
	m.Origin, m.Optimum, m.Frame = meta.Begin(set)
	b := builder{set: set, model: m, left: preorder}
	all := bitset.New(uint(set.Data.N)).FlipRange(0, uint(set.Data.N))
	if _, err := b.add(all, model.NewCounter(set.Data)); err != nil {
		return nil, err
	}
	if len(b.left) > 0 {
		return nil, fmt.Errorf("the tree ends before node %d of %d", len(m.Nodes), len(preorder))
	}
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
func (b *builder) add(reach *bitset.BitSet, c *model.Counter) (model.Counts, error) {
	at := len(b.model.Nodes)
	if len(b.left) == 0 {
		return model.Counts{}, fmt.Errorf("node %d of the tree is missing", at)
	}
	what := b.left[0]
	b.left = b.left[1:]
	b.model.Nodes = append(b.model.Nodes, Node{})
	if what < 0 {
		n := Node{Class: -1 - what, Counts: c.Take(reach)}
		b.model.Nodes[at] = n
		return n.Counts, nil
	}
	if what >= len(b.set.Antecedents) {
		return model.Counts{}, fmt.Errorf("node %d splits on antecedent %d, the set has %d", at, what, len(b.set.Antecedents))
	}
	a := b.set.Antecedents[what]
	n := Node{Test: a.Name, Literals: b.model.Literals(b.set.Data, a.Literals)}
	with, err := b.add(reach.Intersection(a.Captured()), c)
	if err != nil {
		return model.Counts{}, err
	}
	n.Else = len(b.model.Nodes)
	without, err := b.add(reach.Difference(a.Captured()), c)
	if err != nil {
		return model.Counts{}, err
	}
	n.Counts = plus(with, without)
	n.Class = heaviest(n.Weights)
	b.model.Nodes[at] = n
	return n.Counts, nil
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
