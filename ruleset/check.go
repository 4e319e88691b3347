package ruleset

import (
	"errors"
	"fmt"
	"math/big"

	"parcorels/model"
	"parcorels/ratio"
)

// check returns the first thing in which m contradicts itself. New and Decode both
// ask it, so that no model exists that it would refuse.
func (m *Model) check() error {
	return model.FirstError(m.Origin.Check, m.Frame.Check, m.checkRules, m.checkCounts, m.checkValue)
}

func (m *Model) checkRules() error {
	if len(m.Classes) != 2 {
		return fmt.Errorf("classes has %d labels, a rule set tells two apart", len(m.Classes))
	}
	if m.MaxRules < len(m.Rules) {
		return fmt.Errorf("max_rules is %d, but there are %d rules", m.MaxRules, len(m.Rules))
	}
	for i, r := range m.Rules {
		if err := m.CheckRule(i, r.Antecedent, r.Literals); err != nil {
			return err
		}
		if m.MaxLiterals < 0 || m.MaxLiterals > 0 && r.Size > m.MaxLiterals {
			return fmt.Errorf("max_literals is %d, but rules[%d] has %d", m.MaxLiterals, i, r.Size)
		}
		if r.Size < len(r.Literals) {
			return fmt.Errorf("rules[%d].size is %d, but it has %d literals", i, r.Size, len(r.Literals))
		}
	}
	if m.Default.Class != 0 {
		return fmt.Errorf("default.predict is %d, expected 0", m.Default.Class)
	}
	return nil
}

// checkCounts checks that the cases share out the samples, and that no rule
// covers fewer samples than it decides.
func (m *Model) checkCounts() error {
	path := model.RulePath(len(m.Rules))
	if err := m.CheckCounts(m.Cases(), path); err != nil {
		return err
	}
	for i, r := range m.Rules {
		if len(r.Covers.Samples) != 2 || len(r.Covers.Weights) != 2 {
			return fmt.Errorf("rules[%d].covers does not count two classes", i)
		}
		for c := range 2 {
			if r.Covers.Samples[c] < r.Samples[c] || r.Covers.Weights[c] < r.Weights[c] ||
				r.Covers.Samples[c] > m.Data.Samples || r.Covers.Weights[c] > m.Data.Weight {
				return fmt.Errorf("rules[%d].covers counts fewer samples than the rule decides, or more than there are", i)
			}
		}
	}
	return nil
}

// checkValue recomputes V(S) from the counts, and compares it with the bound.
func (m *Model) checkValue() error {
	if m.Prices.negative() {
		return errors.New("a price is negative")
	}
	if err := model.CheckMaximum(m.Status, "value", m.Value, m.UpperBound); err != nil {
		return err
	}
	if got := m.value(); got.Cmp(m.Value.Rat()) != 0 {
		return fmt.Errorf("value is %v, but the counts give %s", m.Value.Value, got.FloatString(10))
	}
	return nil
}

func (p Prices) negative() bool {
	for _, x := range []ratio.Ratio{p.Beta0, p.Beta1, p.Beta2, p.Lambda} {
		if !x.Valid() || x.Num < 0 {
			return true
		}
	}
	return false
}

// value is V(S): the weights are integers in units of Data.WeightUnit.
func (m *Model) value() *big.Rat {
	times := func(price ratio.Ratio, n int64) *big.Rat {
		return ratio.Over(ratio.Product(price.Rat(), ratio.Int(n)), m.Data.WeightUnit.Rat())
	}
	v := new(big.Rat)
	for _, r := range m.Rules {
		v.Add(v, ratio.Sum(times(m.Prices.Beta1, r.Weights[1]), times(m.Prices.Beta2, r.Weights[1])))
		v.Sub(v, ratio.Sum(times(m.Prices.Beta0, r.Covers.Weights[0]), times(m.Prices.Beta2, r.Covers.Weights[1])))
		v.Sub(v, ratio.Product(m.Prices.Lambda.Rat(), ratio.Int(int64(r.Size))))
	}
	return v
}
