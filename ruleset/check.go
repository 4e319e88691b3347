package ruleset

import (
	"fmt"
	"math/big"

	"parcorels/internal/status"
	"parcorels/model"
	"parcorels/ratio"
)

// check returns the first thing in which m contradicts itself. New and Decode both
// ask it, so that no model exists that it would refuse.
func (m *Model) check() error {
	for _, part := range []func() error{m.Origin.Check, m.Frame.Check, m.checkRules, m.checkCounts, m.checkValue} {
		if err := part(); err != nil {
			return err
		}
	}
	return nil
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
	if m.Value.Den < 1 || m.UpperBound.Den != m.Value.Den || m.Prices.negative() {
		return fmt.Errorf("value, upper_bound and prices are not those of one rule set")
	}
	for _, f := range []struct {
		name string
		model.Fraction
	}{{"value", m.Value}, {"upper_bound", m.UpperBound}} {
		if f.Value != model.NewFraction(f.Num, f.Den).Value {
			return fmt.Errorf("%s is %d/%d, but it is said to be %v", f.name, f.Num, f.Den, f.Value)
		}
	}
	if got := m.value(); got.Cmp(big.NewRat(m.Value.Num, m.Value.Den)) != 0 {
		return fmt.Errorf("value is %v, but the counts give %s", m.Value.Value, got.FloatString(10))
	}
	switch {
	case m.Value.Num > m.UpperBound.Num:
		return fmt.Errorf("value is %v, above its upper bound %v", m.Value.Value, m.UpperBound.Value)
	case m.Status == status.Optimal && m.Value.Num != m.UpperBound.Num:
		return fmt.Errorf("status is optimal, but the upper bound %v is not the value %v", m.UpperBound.Value, m.Value.Value)
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
	rat := func(r ratio.Ratio) *big.Rat { return big.NewRat(r.Num, r.Den) }
	weight := func(n int64) *big.Rat { return new(big.Rat).Quo(big.NewRat(n, 1), rat(m.Data.WeightUnit)) }
	times := func(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }
	v := new(big.Rat)
	both := new(big.Rat).Add(rat(m.Prices.Beta1), rat(m.Prices.Beta2))
	for _, r := range m.Rules {
		v.Add(v, times(both, weight(r.Weights[1])))
		v.Sub(v, times(rat(m.Prices.Beta0), weight(r.Covers.Weights[0])))
		v.Sub(v, times(rat(m.Prices.Beta2), weight(r.Covers.Weights[1])))
		v.Sub(v, times(rat(m.Prices.Lambda), big.NewRat(int64(r.Size), 1)))
	}
	return v
}
