package rulelist

import (
	"fmt"

	"parcorels/model"
)

// check returns the first thing in which m contradicts itself. New and Decode
// both ask it, so that no model exists that it would refuse.
func (m *Model) check() error {
	return model.FirstError(m.Origin.Check, m.Frame.Check, m.checkLines, m.checkCounts, m.checkObjective)
}

func (m *Model) checkLines() error {
	if m.MaxRules < 0 || m.MaxRules > 0 && len(m.Rules) > m.MaxRules {
		return fmt.Errorf("there are %d rules, max_rules is %d", len(m.Rules), m.MaxRules)
	}
	return m.CheckList(m.Cases())
}

// checkCounts checks that the lines share out the samples among them.
func (m *Model) checkCounts() error {
	return m.CheckCounts(m.Cases(), model.RulePath(len(m.Rules)))
}

// checkObjective recomputes the objective from the counts.
func (m *Model) checkObjective() error {
	return m.Optimum.Check(m.Status, m.Data.Weight, m.ErrorWeight(), len(m.Rules), m.MaxRules > 0)
}
