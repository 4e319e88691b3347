package rulelist

import (
	"fmt"
	"strings"

	"parcorels/dataset"
	"parcorels/internal/status"
	"parcorels/ratio"
)

// Model is a learned rule list with everything that it takes to print it, to
// judge it and to predict on new raw tables. It comes from New or Load; read
// it as freely as needed, by any number of goroutines, and change nothing.
type Model struct {
	Software   string        `json:"software"` // program and version that learned it
	Status     status.Status `json:"status"`   // how the search ended
	Lambda     ratio.Ratio   `json:"lambda"`   // λ, the price of a rule in the objective
	Objective  Fraction      `json:"objective"`
	LowerBound Fraction      `json:"lower_bound"` // no rule list on these antecedents has a smaller objective
	Gap        float64       `json:"gap"`         // (objective − lower bound) / objective
	Data       Data          `json:"data"`
	Reading    Reading       `json:"reading"`
	Target     string        `json:"target"`      // column of the labels; of .out data what the two label names have in common
	Classes    [2]string     `json:"classes"`     // raw label texts of class 0 and class 1; "" of a class that never occurs
	OneVsRest  bool          `json:"one_vs_rest"` // class 0 is every label but Classes[1]
	Columns    []Column      `json:"columns"`     // raw columns that the rules look at, in order of first use
	Rules      []Line        `json:"rules"`       // tried from the first to the last
	Default    Line          `json:"default"`     // predicts what no rule captures
}

// Data says what a model was learned from.
type Data struct {
	Source     string      `json:"source"`      // file name, without folders
	Hash       string      `json:"hash"`        // "sha256:…" of the uncompressed bytes
	Format     string      `json:"format"`      // "csv" or "out", see dataset
	Samples    int64       `json:"samples"`     // N, the samples that were learned from
	Dropped    int64       `json:"dropped"`     // rows left out for missing values
	Weighted   bool        `json:"weighted"`    // whether samples have weights
	Weight     int64       `json:"weight"`      // total weight, in integer units; N of unweighted data
	WeightUnit ratio.Ratio `json:"weight_unit"` // integer units that make up a weight of 1 as the user gave it
}

// Reading says how the table was read, as far as new tables must be read alike.
type Reading struct {
	NoHeader     bool     `json:"no_header"`              // columns are called c1, c2, …
	Width        int      `json:"width"`                  // columns of the table, 0 of .out data
	DropMissing  bool     `json:"drop_missing"`           // rows with a missing value were left out
	MissingWords []string `json:"missing_words,omitzero"` // texts of missing values; nil are those of dataset.Options
}

// Line is one line of a rule list: a rule, or the default that ends the list.
// Its counts are those of the samples it captured when the model was learned,
// that is, of those that satisfy its antecedent and none before it.
type Line struct {
	Antecedent string    `json:"antecedent,omitempty"` // the literals' names joined by " and "; "" of the default
	Literals   []Literal `json:"literals,omitempty"`   // all must hold; none of the default
	Class      int       `json:"predict"`              // the class predicted, 0 or 1
	Samples    [2]int64  `json:"samples"`              // captured samples of class 0 and of class 1
	Weights    [2]int64  `json:"weights"`              // their weight, in integer units
}

// Captured returns how many samples the line captured.
func (l Line) Captured() int64 { return l.Samples[0] + l.Samples[1] }

// Correct returns how many of them have the label that the line predicts.
func (l Line) Correct() int64 { return l.Samples[l.Class] }

// CapturedWeight returns the weight of the captured samples in integer units.
func (l Line) CapturedWeight() int64 { return l.Weights[0] + l.Weights[1] }

// CorrectWeight returns the weight of those that have the predicted label.
func (l Line) CorrectWeight() int64 { return l.Weights[l.Class] }

// Fraction is a number of the objective's kind, exactly and as a float. The
// denominator is not reduced: it is λ's denominator times the total weight,
// for an objective as well as for a lower bound.
type Fraction struct {
	Num   int64   `json:"numerator"`
	Den   int64   `json:"denominator"`
	Value float64 `json:"value"` // Num/Den, for reading only
}

func fraction(num, den int64) Fraction { return Fraction{num, den, float64(num) / float64(den)} }

// Literal is one condition on one cell of a row: a test, or its negation.
type Literal struct {
	Name    string       `json:"name"`   // as people read it: "priors > 3", "not is_smiling"
	Column  string       `json:"column"` // what Test looks at: one of the model's columns
	Negated bool         `json:"negated"`
	Test    dataset.Test `json:"test"`
}

// Lines returns the rules followed by the default. The index of a line there
// is what Prediction.Line holds.
func (m *Model) Lines() []Line {
	return append(append(make([]Line, 0, len(m.Rules)+1), m.Rules...), m.Default)
}

// Label returns the label text of class c; of a class that never occurred in
// the data it returns "class 0" or "class 1".
func (m *Model) Label(c int) string {
	if m.Classes[c] != "" {
		return m.Classes[c]
	}
	return [2]string{"class 0", "class 1"}[c]
}

// classOf returns the class of a label in a table, -1 if it is missing.
func (m *Model) classOf(label string) (int, error) {
	text := strings.TrimSpace(label)
	switch {
	case text != "" && text == m.Classes[1]:
		return 1, nil
	case text != "" && text == m.Classes[0] && !m.OneVsRest:
		return 0, nil
	}
	if missing, _ := m.Reading.missing().Holds(label); missing {
		return -1, nil
	}
	if m.OneVsRest {
		return 0, nil
	}
	return 0, fmt.Errorf("column %q: label %q is not one that the model knows: %q and %q", m.Target, label, m.Label(0), m.Label(1))
}

// Errors returns how many samples were predicted wrongly, counted one each.
func (m *Model) Errors() int64 {
	var n int64
	for _, l := range m.Lines() {
		n += l.Captured() - l.Correct()
	}
	return n
}

// ErrorWeight returns the weight of those samples in integer units. It is what
// the objective counts: (weight of errors)/(total weight) + λ·(number of rules).
func (m *Model) ErrorWeight() int64 {
	var n int64
	for _, l := range m.Lines() {
		n += l.CapturedWeight() - l.CorrectWeight()
	}
	return n
}

// Probability returns the smoothed frequency, among the samples that line i of
// Lines captured, of the label that it predicts: (n_q+1)/(n+2), where n and
// n_q are the captured and the correct weight, scaled so that the samples of
// the whole table weigh 1 on average (Laplace's rule of succession). Of
// unweighted data n and n_q are plain counts. With class weights it is
// a probability under those weights, not in the table as it was.
func (m *Model) Probability(i int) float64 {
	l := m.Default
	if i < len(m.Rules) {
		l = m.Rules[i]
	}
	scale := 1.0
	if m.Data.Weighted {
		scale = float64(m.Data.Samples) / float64(m.Data.Weight)
	}
	n, right := scale*float64(l.CapturedWeight()), scale*float64(l.CorrectWeight())
	return (right + 1) / (n + 2)
}
