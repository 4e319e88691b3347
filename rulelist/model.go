package rulelist

import (
	"io"

	"parcorels/model"
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
