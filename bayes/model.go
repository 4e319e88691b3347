package bayes

import (
	"io"
	"parcorels/model"
	"parcorels/ratio"
)

// Model is a learned Bayesian rule list with everything that it takes to print it, to
// judge it and to predict on new raw tables.
type Model struct {
	model.Origin
	Prior     Prior          `json:"prior"`
	Posterior model.Fraction `json:"log_posterior"` // F, up to a constant that is the same for all lists, in nats
	Bound     model.Fraction `json:"upper_bound"`   // no list on these antecedents has a larger F
	Chains    Chains         `json:"chains"`
	model.Frame
	Rules   []Line `json:"rules"`   // tried from the first to the last
	Default Line   `json:"default"` // what no rule captures
}

// Model implements the interface that all families share.
var _ model.Model = (*Model)(nil)

// Prior is what the posterior was computed with.
type Prior struct {
	Length   ratio.Ratio    `json:"length"` // λ: expected number of rules
	Width    ratio.Ratio    `json:"width"`  // η: expected number of conditions of a rule
	Alpha    [2]ratio.Ratio `json:"alpha"`  // pseudo-samples of class 0 and of class 1 in each line
	MaxRules int            `json:"max_rules"`
}

// Chains is what the Markov chains did.
type Chains struct {
	Count      int    `json:"count"`
	Iterations int    `json:"iterations"` // of each
	Seed       uint64 `json:"seed"`
	Agree      int    `json:"agree"` // chains that found a list of this posterior
}

// Line is a rule or the default. Its counts are those of the samples that it captured
// when the model was learned.
type Line struct {
	Antecedent string          `json:"antecedent,omitempty"`
	Literals   []model.Literal `json:"literals,omitempty"`
	Class      int             `json:"predict"`     // the likelier class
	Mean       float64         `json:"probability"` // of class 1, the posterior mean
	Low        float64         `json:"low"`         // of the interval that holds 95% of the posterior
	High       float64         `json:"high"`
	model.Counts
}

// Lines returns the rules followed by the default.
func (m *Model) Lines() []Line {
	return append(append(make([]Line, 0, len(m.Rules)+1), m.Rules...), m.Default)
}

// Family returns model.BayesianRuleList.
func (m *Model) Family() model.Family { return model.BayesianRuleList }

// Cases returns a case per line. The pseudo-samples of the prior count in their
// probabilities.
func (m *Model) Cases() []model.Case {
	var cases []model.Case
	prior := []float64{m.Prior.Alpha[0].Float(), m.Prior.Alpha[1].Float()}
	for _, l := range m.Lines() {
		cases = append(cases, model.Case{Text: l.Antecedent, When: l.Literals, Class: l.Class, Counts: l.Counts, Prior: prior})
	}
	return cases
}

// Certificate returns posterior and bound.
func (m *Model) Certificate() model.Certificate {
	return model.Certificate{
		Software: m.Software, Status: m.Status,
		Maximize: true, Objective: m.Posterior, Bound: m.Bound, Gap: m.Bound.Value - m.Posterior.Value, GapUnit: "nats",
		Size: len(m.Rules), Part: "rule", Errors: model.Errors(m.Cases()),
	}
}

// Codec reads and writes the model files of this family.
var Codec = model.Codec[Model]{Family: model.BayesianRuleList, Version: 1, Check: (*Model).check}

// Encode writes the model as an indented JSON object. The same model always gives the same
// bytes.
func (m *Model) Encode(w io.Writer) error { return Codec.Encode(w, m) }
