package export

import (
	"math"
	"parcorels/dataset"
	"parcorels/model"
	"parcorels/model/predict"
	"slices"
	"strings"
)

// Decision is a model reduced to what it takes to predict: what every language
// is written from, and what JSON holds.
type Decision struct {
	Format    string       `json:"format"`  // "parcorels decision"
	Version   int          `json:"version"` // 1
	Family    model.Family `json:"family"`
	Software  string       `json:"software"` // that learned the model
	Source    string       `json:"source"`   // file that it learned from
	Hash      string       `json:"hash"`     // of it
	Target    string       `json:"target"`
	Classes   []string     `json:"classes"` // label texts
	OneVsRest bool         `json:"one_vs_rest"`
	Columns   []Column     `json:"columns"` // that the cases look at
	// MissingWords are the texts of missing values besides the empty one, in
	// which case does not matter.
	MissingWords []string `json:"missing_words"`
	Cases        []Case   `json:"cases"` // tried in order; the last always holds
}

// Column is a column that the cases look at.
type Column struct {
	Name string     `json:"name"`
	Type ColumnType `json:"type"`
	// Scale says which numbers the texts of a column of dates or ordered categories stand for.
	dataset.Scale
}

// ColumnType is what a column held in training.
type ColumnType string

// The types of columns.
const (
	NumberColumn ColumnType = "number"
	TextColumn   ColumnType = "text"
	TruthColumn  ColumnType = "truth" // such as 0 and 1, no and yes
	AnyColumn    ColumnType = "any"   // only whether cells are missing matters
)

// Case is a rule, a leaf or the default.
type Case struct {
	Text          string          `json:"text"` // the condition as people read it, "" of a default
	When          []model.Literal `json:"when"` // all must hold
	Class         int             `json:"class"`
	Samples       []int64         `json:"samples"`       // training samples of each class that it decided
	Weights       []int64         `json:"weights"`       // their weight, in integer units
	Probabilities []float64       `json:"probabilities"` // of each class
}

// NewDecision reduces a model.
func NewDecision(m model.Model) *Decision {
	about := m.About()
	d := &Decision{
		Format: "parcorels decision", Version: 1, Family: m.Family(), Software: m.Certificate().Software,
		Source: about.Data.Source, Hash: about.Data.Hash, Target: about.Target, Classes: about.Labels(),
		OneVsRest: about.OneVsRest, Columns: []Column{}, MissingWords: dataset.MissingWords(about.Reading.MissingWords),
	}
	for _, c := range about.Columns {
		d.Columns = append(d.Columns, Column{c.Name, typeOf(c.Cell.Kind), c.Cell.Scale})
	}
	probabilities := predict.Probabilities(m, predict.Options{})
	for i, c := range m.Cases() {
		when := append([]model.Literal{}, c.When...)
		d.Cases = append(d.Cases, Case{c.Text, when, c.Class, c.Samples, c.Weights, probabilities[i]})
	}
	return d
}

func typeOf(k dataset.Kind) ColumnType {
	switch k {
	case dataset.Number, dataset.Interval, dataset.Threshold:
		return NumberColumn
	case dataset.True, dataset.Given:
		return TruthColumn
	case dataset.Is, dataset.Among:
		return TextColumn
	}
	return AnyColumn
}

// at returns the index of a column by its name.
func (d *Decision) at(name string) int {
	return slices.IndexFunc(d.Columns, func(c Column) bool { return c.Name == name })
}

// all joins what literal makes of the literals of a case; without any it is always.
func (c Case) all(literal func(model.Literal) string, and, always string) string {
	if len(c.When) == 0 {
		return always
	}
	var parts []string
	for _, l := range c.When {
		parts = append(parts, literal(l))
	}
	return strings.Join(parts, and)
}

// textsOf returns the texts that a test asks for.
func textsOf(t dataset.Test) []string {
	if t.Kind == dataset.Is {
		return []string{t.Value}
	}
	return t.Values
}

// between returns the bounds of a test, infinite where it has none.
func between(t dataset.Test) (low, high float64) {
	low, high = math.Inf(-1), math.Inf(1)
	if t.Low != nil {
		low = *t.Low
	}
	if t.High != nil {
		high = *t.High
	}
	return low, high
}
