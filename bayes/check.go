package bayes

import (
	"errors"
	"fmt"
	"math"

	"parcorels/model"
	"parcorels/ratio"
)

// check returns the first thing in which m contradicts itself. New and Decode both
// ask it, so that no model exists that it would refuse.
func (m *Model) check() error {
	list := func() error { return m.CheckList(m.Cases()) }
	return model.FirstError(m.Origin.Check, m.Frame.Check, m.checkPrior, list, m.checkCounts, m.checkPosterior)
}

func (m *Model) checkPrior() error {
	if len(m.Classes) != 2 {
		return fmt.Errorf("classes has %d labels, a Bayesian rule list tells two apart", len(m.Classes))
	}
	for _, x := range []ratio.Ratio{m.Prior.Length, m.Prior.Width, m.Prior.Alpha[0], m.Prior.Alpha[1]} {
		if !x.Valid() || x.Num <= 0 {
			return errors.New("prior has a parameter that is not positive")
		}
	}
	if m.Prior.MaxRules < 0 || m.Prior.MaxRules > 0 && len(m.Rules) > m.Prior.MaxRules {
		return fmt.Errorf("there are %d rules, prior.max_rules is %d", len(m.Rules), m.Prior.MaxRules)
	}
	if c := m.Chains; c.Count < 1 || c.Iterations < 1 || c.Agree < 0 || c.Agree > c.Count {
		return errors.New("chains counts what cannot be")
	}
	return nil
}

// checkCounts checks that the lines share out the samples, and recomputes their
// probabilities.
func (m *Model) checkCounts() error {
	path := model.RulePath(len(m.Rules))
	if err := m.CheckCounts(m.Cases(), path); err != nil {
		return err
	}
	for i, l := range m.Lines() {
		want := m.line(l.Antecedent, l.Literals, l.Counts)
		if want.Class != l.Class || want.Mean != l.Mean || math.Abs(want.Low-l.Low) > 2e-6 || math.Abs(want.High-l.High) > 2e-6 {
			return fmt.Errorf("%s has a probability or an interval that is not that of its counts", path(i))
		}
	}
	return nil
}

func (m *Model) checkPosterior() error {
	if m.Posterior.Den != Unit {
		return fmt.Errorf("log_posterior is %d/%d, expected the denominator %d", m.Posterior.Num, m.Posterior.Den, Unit)
	}
	return model.CheckMaximum(m.Status, "log_posterior", m.Posterior, m.Bound)
}
