package parcorels

import (
	"io"
	"math"
	"os"

	"parcorels/bayes"
	"parcorels/internal/atomicfile"
	"parcorels/model"
	"parcorels/report"
	"parcorels/rulelist"
	"parcorels/ruleset"
	"parcorels/tree"
)

// Model is a learned model of any family. It never changes, so that any number of
// goroutines may use it. What is embedded has its cases, its certificate and its
// data; model.Bind predicts with it for many rows.
type Model struct {
	model.Model
	stats report.Stats
	notes []string
}

// Prediction is what a model says of a row: class, label, the case that decided,
// and the probability of each class.
type Prediction = model.Prediction

// Predict predicts for a row, given as cells by column name. Columns that the
// model does not look at may be missing or present. On a cell that is missing,
// where none was in training, or not of its column's kind, no condition holds.
func (m *Model) Predict(row map[string]string) (Prediction, error) {
	return model.Predict(m.Model, row, model.Options{})
}

// Probability returns the share of class 1 among the training samples that the
// case which decides the row decided; NaN where there is an error, as for a
// column that the row lacks.
func (m *Model) Probability(row map[string]string) float64 {
	p, err := m.Predict(row)
	if err != nil {
		return math.NaN()
	}
	return p.Probabilities[1]
}

// String returns the model as people read it, within 80 columns.
func (m *Model) String() string { return m.Text(model.DefaultWidth) }

// Save writes the model file; it appears whole or not at all.
func (m *Model) Save(path string) error { return atomicfile.Write(path, m.Encode) }

// Report returns what was found, what is proved, and what it took. Of a model
// that Decode read it lacks the notes on the data and the effort.
func (m *Model) Report() report.Result {
	r := report.New(m.Model, m.About().Data.Source, m.notes)
	r.Stats = m.stats
	return r
}

// Decode reads a model file of any family; name stands for it in errors.
func Decode(r io.Reader, name string) (*Model, error) {
	f, err := model.ReadFile(r, name)
	if err != nil {
		return nil, err
	}
	switch f.Format {
	case model.RuleList.Format():
		return wrap(rulelist.FromFile(f))
	case model.Tree.Format():
		return wrap(tree.FromFile(f))
	case model.RuleSet.Format():
		return wrap(ruleset.FromFile(f))
	case model.BayesianRuleList.Format():
		return wrap(bayes.FromFile(f))
	}
	return nil, f.Unknown()
}

// Load is Decode of the file at path.
func Load(path string) (*Model, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Decode(f, path)
}

// wrap returns a model of one family as a Model.
func wrap[M model.Model](m M, err error) (*Model, error) {
	if err != nil {
		return nil, err
	}
	return &Model{Model: m}, nil
}
