package ruleset

import (
	"io"

	"parcorels/model"
	"parcorels/ratio"
)

// Model is a learned rule set with everything that it takes to print it, to judge it
// and to predict on new raw tables.
type Model struct {
	model.Origin
	Prices      Prices         `json:"prices"`
	MaxRules    int            `json:"max_rules"`              // K, the most rules there could be
	MaxLiterals int            `json:"max_literals,omitempty"` // the most of a rule there could be; 0: any number
	Value       model.Fraction `json:"value"`                  // V(S), in units of one sample's weight
	UpperBound  model.Fraction `json:"upper_bound"`            // no set of such rules has a larger value
	Guarantee   Guarantee      `json:"guarantee"`
	model.Frame
	Rules   []Rule `json:"rules"`   // in the order in which they were found
	Default Line   `json:"default"` // predicts class 0 where no rule holds
}

// Model implements the interface that all families share.
var _ model.Model = (*Model)(nil)

// Prices are the parameters of the objective, in units of one sample's weight.
type Prices struct {
	Beta0  ratio.Ratio `json:"beta0"`  // each rule that covers a negative sample
	Beta1  ratio.Ratio `json:"beta1"`  // a positive sample that no rule covers
	Beta2  ratio.Ratio `json:"beta2"`  // each rule beyond the first that covers a positive sample
	Lambda ratio.Ratio `json:"lambda"` // a literal
}

// Guarantee is what the greedy algorithm proves of the set (Yang et al.,
// Proposition 2, and ruleset/search/guarantee.go): with g the revenue and c the
// costs of the best set, V(S) ≥ Rho·g − c − Slack.
type Guarantee struct {
	Rho   float64 `json:"rho"`
	Slack float64 `json:"slack"` // 0 if each subproblem was solved exactly
	// Subproblems are the steps of the greedy algorithm.
	Subproblems []Subproblem `json:"subproblems"`
}

// Subproblem is a step of the greedy algorithm: the value of the best rule found,
// and a bound on that of every rule.
type Subproblem struct {
	Value float64 `json:"value"`
	Bound float64 `json:"bound"`
}

// Proved returns how many subproblems were solved exactly.
func (g Guarantee) Proved() (n int) {
	for _, s := range g.Subproblems {
		if s.Value == s.Bound {
			n++
		}
	}
	return n
}

// Rule is a conjunction; where it holds, class 1 is predicted.
type Rule struct {
	Antecedent string          `json:"antecedent"` // the literals' names joined by " and "; "" of none
	Literals   []model.Literal `json:"literals"`   // all must hold
	Size       int             `json:"size"`       // features that it has: two bounds of one column are one literal and two features
	Covers     model.Counts    `json:"covers"`     // all samples where it holds
	model.Counts
}

// Line is the default.
type Line struct {
	Class int `json:"predict"`
	model.Counts
}

// Family returns model.RuleSet.
func (m *Model) Family() model.Family { return model.RuleSet }

// Cases returns a case per rule, and the default.
func (m *Model) Cases() []model.Case {
	var cases []model.Case
	for _, r := range m.Rules {
		cases = append(cases, model.Case{Text: r.Antecedent, When: r.Literals, Class: 1, Counts: r.Counts})
	}
	return append(cases, model.Case{Counts: m.Default.Counts})
}

// Certificate returns value and upper bound.
func (m *Model) Certificate() model.Certificate {
	return model.Certificate{
		Software: m.Software, Status: m.Status, Lambda: m.Prices.Lambda.String(),
		Maximize: true, Objective: m.Value, Bound: m.UpperBound, Gap: m.gap(),
		Size: len(m.Rules), Part: "rule", Errors: model.Errors(m.Cases()),
	}
}

// gap returns (bound − value)/value, 0 if both are 0.
func (m *Model) gap() float64 {
	if m.UpperBound.Num == m.Value.Num {
		return 0
	}
	return (m.UpperBound.Value - m.Value.Value) / m.Value.Value
}

// Codec reads and writes the model files of this family.
var Codec = model.Codec[Model]{Family: model.RuleSet, Version: 1, Check: (*Model).check}

// Encode writes the model as an indented JSON object. The same model always gives the same
// bytes.
func (m *Model) Encode(w io.Writer) error { return Codec.Encode(w, m) }
