package tree

import (
	"errors"
	"fmt"
	"slices"

	"parcorels/model"
)

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
		if n.Class != heaviest(n.Weights) {
			return fmt.Errorf("nodes[%d].predict is %d, but class %d weighs most", i, n.Class, heaviest(n.Weights))
		}
	}
	return nil
}

// checkObjective recomputes the objective from the counts.
func (m *Model) checkObjective() error {
	return m.Optimum.Check(m.Status, m.Data.Weight, model.ErrorWeight(m.Cases()), m.Leaves(), m.MaxDepth > 0)
}
