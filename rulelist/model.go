package rulelist

import (
	"fmt"
	"io"

	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/rules"
)

// Model is a learned rule list with everything that it takes to print it, to
// judge it and to predict on new raw tables. It comes from New or Decode; read
// it as freely as needed, by any number of goroutines, and change nothing.
type Model struct {
	model.Origin
	model.Optimum
	model.Frame
	MaxRules int    `json:"max_rules,omitempty"` // most rules that the search allowed; 0: no limit
	Rules    []Line `json:"rules"`               // tried from the first to the last
	Default  Line   `json:"default"`             // predicts what no rule captures
}

// Model implements the interface that all families share.
var _ model.Model = (*Model)(nil)

// Line is one line of a rule list: a rule, or the default that ends the list.
// Its counts are those of the samples it captured when the model was learned,
// that is, of those that satisfy its antecedent and none before it.
type Line struct {
	Antecedent string          `json:"antecedent,omitempty"` // the literals' names joined by " and "; "" of the default
	Literals   []model.Literal `json:"literals,omitempty"`   // all must hold; none of the default
	Class      int             `json:"predict"`              // the class predicted
	model.Counts
}

// Lines returns the rules followed by the default, in the order of Cases.
func (m *Model) Lines() []Line {
	return append(append(make([]Line, 0, len(m.Rules)+1), m.Rules...), m.Default)
}

// Family returns model.RuleList.
func (m *Model) Family() model.Family { return model.RuleList }

// Cases returns a case per line.
func (m *Model) Cases() []model.Case {
	var cases []model.Case
	for _, l := range m.Lines() {
		cases = append(cases, model.Case{Text: l.Antecedent, When: l.Literals, Class: l.Class, Counts: l.Counts})
	}
	return cases
}

// Certificate returns what the search found and proved.
func (m *Model) Certificate() model.Certificate {
	return m.Optimum.Certificate(m.Origin, m.Cases(), len(m.Rules), "rule")
}

// Errors returns how many samples were predicted wrongly, counted one each.
func (m *Model) Errors() int64 { return model.Errors(m.Cases()) }

// ErrorWeight returns the weight of those samples in integer units. It is what
// the objective counts: (weight of errors)/(total weight) + λ·(number of rules).
func (m *Model) ErrorWeight() int64 { return model.ErrorWeight(m.Cases()) }

// Codec reads and writes the model files of this family.
var Codec = model.Codec[Model]{Family: model.RuleList, Version: 1, Check: (*Model).check}

// Encode writes the model as an indented JSON object. The same model always gives the same
// bytes.
func (m *Model) Encode(w io.Writer) error { return Codec.Encode(w, m) }

// Rule is a rule as a search returns it: an antecedent, by its index in the
// set, and the class that is predicted for what it captures.
type Rule struct {
	Antecedent int
	Class      int
}

// New makes the model of a rule list on the data that set was made from: list
// in order, then the default, which predicts class def. It counts from
// the captured sets and the labels themselves what each line captures.
//
// It returns an error when an antecedent is not in the set, or when the counts
// contradict meta: in particular when they do not give its objective.
func New(set *rules.Set, list []Rule, def int, meta model.Meta) (*Model, error) {
	m := &Model{MaxRules: meta.Most, Rules: []Line{}}
	m.Origin, m.Optimum, m.Frame = meta.Begin(set)
	c := model.NewCounter(set.Data)
	for i, r := range list {
		if r.Antecedent < 0 || r.Antecedent >= len(set.Antecedents) {
			return nil, fmt.Errorf("rule %d has antecedent %d, the set has %d", i+1, r.Antecedent, len(set.Antecedents))
		}
		a := set.Antecedents[r.Antecedent]
		m.Rules = append(m.Rules, Line{a.Name, m.Literals(set.Data, a.Literals), r.Class, c.Take(a.Captured())})
	}
	m.Default = Line{Class: def, Counts: c.Take(nil)}
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("the rule list does not fit the data: %w", err)
	}
	return m, nil
}

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

// String returns the list as Text does, within 80 columns.
func (m *Model) String() string { return m.Text(model.DefaultWidth) }

// Text returns the list the way people read it, a line per rule with what the
// rule captures and how often it is right there:
//
//	if   priors > 3          then yes   (1,921 of 6,489 samples, 65.9% right)
//	else if 20 < age ≤ 22
//	    and 1 < priors ≤ 3  then yes   (  310 of 6,489 samples, 61.2% right)
//	else                          no    (4,258 of 6,489 samples, 66.0% right)
//
// Conjunctions are broken before an "and" where the line would exceed width
// columns; width <= 0 breaks nothing. A single name is never broken, so a long
// one exceeds the width. With weighted data, shares by weight stand behind those
// of samples, and a last line tells the weight. Names and labels with characters that a terminal would
// interpret are quoted. The text ends with a newline.
func (m *Model) Text(width int) string {
	cases := m.Cases()
	counts := model.CountTexts(&m.Frame, cases)
	if len(m.Rules) == 0 {
		return "predict " + wording.Printable(m.Label(m.Default.Class)) + " for everyone   " +
			counts[0] + "\n" + m.Below(cases, width)
	}
	l := model.Layout{Counts: counts}
	for i, c := range cases {
		l.Add(&m.Frame, i, c)
	}
	return l.Text(width) + m.Below(cases, width)
}
