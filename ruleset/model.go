// Package ruleset is a learned rule set: rules of which at least one must hold for
// class 1, and what is proved of them. Begin with New, which makes a model of what
// package ruleset/search returned, or with Decode.
//
//	if   jacket_color = red                            then yes   (…)
//	or   head_shape = round and body_shape = round     then yes   (…)
//	else                                                    no    (…)
//
// A [Model] implements model.Model: its cases are the rules, in the order in which they
// were found, and the default. So the first rule that holds decides a row. The order
// changes no prediction.
//
// # Invariants
//
//   - Each rule counts all samples that it covers (Covers), and those that no
//     earlier rule covers (Counts); the latter add up to the data.
//   - Value is V(S) of Yang et al. (NeurIPS 2021), equation 4, recomputed from
//     these counts; Value ≤ UpperBound, and they are equal if the status is
//     "optimal".
package ruleset

import (
	"errors"
	"fmt"
	"io"
	"math/big"
	"strings"

	"github.com/bits-and-blooms/bitset"

	"parcorels/dataset"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/ratio"
	"parcorels/rules"
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

// String returns the set as Text does, within 80 columns.
func (m *Model) String() string { return m.Text(model.DefaultWidth) }

// Text returns the rule set as a sentence, with what each rule covers and how often
// it is right there:
//
//	if   priors > 3                          then yes   (1,921 of 6,489 samples, 65.9% right)
//	or   20 < age ≤ 22 and 1 < priors ≤ 3    then yes   (  412 of 6,489 samples, 60.0% right)
//	else                                          no    (4,258 of 6,489 samples, 66.0% right)
//
// Samples that several rules cover are counted in each of their lines, and a note
// says how many there are.
func (m *Model) Text(width int) string {
	cases := m.Cases()
	for i, r := range m.Rules {
		cases[i].Counts = r.Covers
	}
	counts := model.CountTexts(&m.Frame, cases)
	if len(m.Rules) == 0 || len(m.Rules[0].Literals) == 0 {
		first := cases[0]
		return "predict " + wording.Printable(m.Label(first.Class)) + " for everyone   " +
			model.CountTexts(&m.Frame, cases[:1])[0] + "\n" + m.Below(cases, width)
	}
	l := model.Layout{Counts: counts}
	for i, c := range cases {
		l.Add(&m.Frame, i, c)
		if head := l.Heads[i]; i > 0 && i < len(m.Rules) {
			head[0] = "or   " + strings.TrimPrefix(head[0], "else if ")
		}
	}
	return l.Text(width) + m.overlapNote() + m.Below(cases, width)
}

// overlapNote says how many samples several rules cover, if any.
func (m *Model) overlapNote() string {
	var holds, covered int64
	for _, r := range m.Rules {
		holds += r.Covers.Captured()
		covered += r.Captured()
	}
	if holds == covered {
		return ""
	}
	return fmt.Sprintf("the rules overlap: where any holds, %.2f hold on average\n", float64(holds)/float64(covered))
}

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
