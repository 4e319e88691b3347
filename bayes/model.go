// Package bayes is a learned Bayesian rule list: a rule list whose rules and default
// give a probability of class 1, with an interval. Begin with New, which makes a model
// of what package bayes/search returned, or with Decode.
//
//	if   priors > 3    then yes with 65.9%   (63.7% to 68.0%; 1,921 of 6,489 samples)
//	else                    yes with 34.0%   (32.6% to 35.4%; 4,568 of 6,489 samples)
//
// The probability is the mean of the posterior of the rule, (n1 + α1)/(n + α1 + α0) for
// n1 of n samples of class 1, and the interval holds 95% of it: from its 2.5th to its
// 97.5th percentile. A [Model] implements model.Model.
//
// # Invariants
//
//   - Every sample is captured by exactly one line.
//   - Posterior ≤ Bound, both in units of 2^−32 nats; they are equal if the status
//     is "optimal".
package bayes

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"gonum.org/v1/gonum/mathext"

	"parcorels/dataset"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/ratio"
	"parcorels/rules"
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

// Unit is the denominator of posteriors and bounds: how many of their units are a nat.
const Unit = int64(1) << 32

// New completes the model of a list of antecedents of set, by index, with the default
// behind them; the model has what only the search knows, up to the chains. New counts from captured sets and labels what each line
// captures, and returns an error when these contradict the model. The data was read with some options.
func New(set *rules.Set, list []int, read dataset.Options, m Model) (*Model, error) {
	m.Frame, m.Rules = model.NewFrame(set, read), []Line{}
	c := model.NewCounter(set.Data)
	for _, a := range list {
		x := set.Antecedents[a]
		m.Rules = append(m.Rules, m.line(x.Name, m.Literals(set.Data, x.Literals), c.Take(x.Captured())))
	}
	m.Default = m.line("", nil, c.Take(nil))
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("the Bayesian rule list does not fit the data: %w", err)
	}
	return &m, nil
}

// line makes a line of what it captured.
func (m *Model) line(name string, literals []model.Literal, counts model.Counts) Line {
	l := Line{Antecedent: name, Literals: literals, Counts: counts}
	a, b := m.beta(counts)
	l.Mean = a / (a + b)
	if l.Mean > .5 {
		l.Class = 1
	}
	l.Low, l.High = Interval(a, b)
	return l
}

// beta returns the parameters of the posterior of a line's probability: pseudo-samples
// and weights, in units of one sample's weight.
func (m *Model) beta(counts model.Counts) (a, b float64) {
	unit := m.Data.WeightUnit.Float()
	return float64(counts.Weights[1])/unit + m.Prior.Alpha[1].Float(), float64(counts.Weights[0])/unit + m.Prior.Alpha[0].Float()
}

// Interval returns the 2.5th and the 97.5th percentile of the Beta(a, b) distribution,
// to six digits: model files must be equal on all machines.
func Interval(a, b float64) (low, high float64) {
	quantile := func(p float64) float64 { return math.Round(1e6*mathext.InvRegIncBeta(a, b, p)) / 1e6 }
	return quantile(.025), quantile(.975)
}

// Cardinalities returns how many conditions each antecedent of a set has. Antecedents
// of an .out file are single features; their conditions are told by commas in names
// such as {a=1,b=2}, as the reference implementation does.
func Cardinalities(set *rules.Set) []int {
	cards := make([]int, len(set.Antecedents))
	for i, a := range set.Antecedents {
		cards[i] = len(a.Literals)
		if set.Data.Format == "out" && strings.HasPrefix(a.Name, "{") {
			cards[i] = strings.Count(a.Name, ",") + 1
		}
	}
	return cards
}

// String returns the list as Text does, within 80 columns.
func (m *Model) String() string { return m.Text(model.DefaultWidth) }

// Text returns the list with the probability of class 1 in each line and the interval
// that holds 95% of its posterior:
//
//	if   priors > 3                  then P(yes) = 65.9%   (63.7%–68.0%; 1,921 of 6,489 samples)
//	else                                  P(yes) = 34.0%   (32.6%–35.4%; 4,568 of 6,489 samples)
func (m *Model) Text(width int) string {
	l := model.Layout{}
	total := wording.Thousands(m.Data.Samples)
	label := wording.Printable(m.Label(1))
	cases := m.Cases()
	for i, c := range cases {
		line := m.Lines()[i]
		l.Add(&m.Frame, i, c)
		l.Labels[i] = fmt.Sprintf("P(%s) = %4.1f%%", label, 100*line.Mean)
		l.Counts = append(l.Counts, fmt.Sprintf("(%.1f%%–%.1f%%; %s of %s samples)", 100*line.Low, 100*line.High,
			wording.Thousands(c.Captured()), total))
	}
	if len(m.Rules) == 0 {
		return "predict " + l.Labels[0] + " for everyone   " + l.Counts[0] + "\n" + m.Below(cases, width)
	}
	return l.Text(width) + m.Below(cases, width)
}

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
