// Package export writes a learned model as code that predicts without this
// program: SQL, Python, C, JavaScript, or JSON for a program of one's own. Begin
// with [Write] and the names in [Languages]. Every family of models is written
// from its cases (package model), so that a new family needs nothing here.
//
// # What the code computes
//
// The code goes through the cases of the model in order and returns, for the first whose
// literals all hold, its number, the class and the probability of each class, exactly as
// predict.Predictor does on the same cells. In particular a literal on a cell that cannot
// be judged does not hold, negated or not. A cell is missing if it is empty, or one of the
// texts that the table was read with.
package export

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"parcorels/dataset"
	"parcorels/model"
	"parcorels/model/predict"
)

// writers writes each language.
var writers = map[string]func(io.Writer, *Decision) error{
	"sql":        writeSQL,
	"python":     python.write,
	"c":          c99.write,
	"javascript": javascript.write,
	"json":       writeJSON,
	"onnx":       writeONNX,
}

// Languages are the names that Write knows, in the order in which they are told.
func Languages() []string {
	return []string{"sql", "python", "c", "javascript", "json", "onnx"}
}

// Write writes a model in one of the Languages. The same model always gives the
// same text, which ends with a newline.
func Write(to io.Writer, m model.Model, language string) error {
	write, ok := writers[language]
	if !ok {
		return fmt.Errorf("no language %q to export to, expected one of %s", language, strings.Join(Languages(), ", "))
	}
	return write(to, NewDecision(m))
}

func writeJSON(to io.Writer, d *Decision) error {
	e := json.NewEncoder(to)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(d)
}

// heading says in a comment what the code is, without any line end that would
// end the comment.
func (d *Decision) heading(comment string) string {
	origin := fmt.Sprintf("%s that %s learned from %s (%s).", d.Family, d.Software, d.Source, d.Hash)
	return fmt.Sprintf("%s %s\n%s It predicts %s.\n", comment, oneLine(origin), comment, oneLine(strconv.Quote(d.Target)))
}

// oneLine makes a text fit for a comment of one line.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == 0x85 || r == 0x2028 || r == 0x2029 {
			return ' '
		}
		return r
	}, text)
}

// condition is the text of a case as a comment has it.
func (c Case) condition() string {
	if c.Text == "" {
		return "all others"
	}
	return oneLine(c.Text)
}

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
