package ruleset

import (
	"fmt"

	"parcorels/dataset"
	"parcorels/model"
	"parcorels/rules"

	"github.com/bits-and-blooms/bitset"
)

// New completes the model of rules, each a set of antecedents of set by index, that
// must all hold; the model has what only the search knows, up to the guarantee. New counts from captured sets and labels what each rule
// covers, and returns an error when these counts contradict the model. The data was read with some options.
func New(set *rules.Set, list [][]int, read dataset.Options, m Model) (*Model, error) {
	m.Frame, m.Rules = model.NewFrame(set, read), []Rule{}
	left := model.NewCounter(set.Data)
	for _, antecedents := range list {
		r, captured := m.rule(set, antecedents)
		r.Counts = left.Take(captured)
		m.Rules = append(m.Rules, r)
	}
	m.Default.Counts = left.Take(nil)
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("the rule set does not fit the data: %w", err)
	}
	return &m, nil
}

// rule makes a rule and its captured set.
func (m *Model) rule(set *rules.Set, antecedents []int) (Rule, *bitset.BitSet) {
	n := uint(set.Data.N)
	captured := bitset.New(n).FlipRange(0, n)
	literals := []rules.Literal{}
	for _, a := range antecedents {
		captured.InPlaceIntersection(set.Antecedents[a].Captured())
		literals = append(literals, set.Antecedents[a].Literals...)
	}
	r := Rule{Literals: m.Literals(set.Data, literals), Size: len(antecedents), Covers: model.NewCounter(set.Data).Take(captured)}
	if r.Literals == nil {
		r.Literals = []model.Literal{}
	}
	r.Antecedent = model.Conjunction(r.Literals)
	return r, captured
}
