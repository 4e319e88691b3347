package family

import (
	"io"
	"math"
	"os"
	"slices"
	"time"

	"parcorels/dataset"
	"parcorels/internal/atomicfile"
	"parcorels/internal/status"
	"parcorels/model"
	"parcorels/model/predict"
	"parcorels/report"
	listsearch "parcorels/rulelist/search"
)

// Model is a learned model of any family. It never changes, so that any number of
// goroutines may use it. The embedded model has its cases, its certificate and its
// data; predict.Bind predicts with it for many rows.
type Model struct {
	model.Model
	Search Search // how the search for it went
	F1     *F1    // nil unless option Maximise asks for it

	stats   report.Stats
	notes   []string
	when    [][]int
	weights *listsearch.Weights // of the search, until it is returned
	cuts    []dataset.Cut
}

// Search says how the search for a model went, beside what its certificate says.
type Search struct {
	Proved        bool             // the proof that was asked for is whole
	ProofErr      error            // why it is not
	ProofKept     bool             // a checkpoint goes with the proof up to it
	CheckpointErr error            // of the last attempt to save; nil where nothing is left to save
	Resumed       int64            // prefixes that were open in the checkpoint resumed
	Steps         []DepthStep      // of a tree: the depths that were settled
	Short         listsearch.Short // of a rule list: what is proved of short ones
}

// DepthStep says that no tree of a depth is better than the best one of that depth.
type DepthStep struct {
	Depth, Leaves int
	Objective     float64
	Elapsed       time.Duration
}

// Proved says which small models are proved to be no better where the model is not proved optimal.
func (m *Model) Proved() (p report.Proved) {
	if m.Certificate().Status == status.Optimal {
		return p
	}
	p.Rules = m.Search.Short.Rules
	if n := len(m.Search.Steps); n > 0 {
		p.Depth = m.Search.Steps[n-1].Depth
	}
	return p
}

// NewModel returns a model of a problem: when are the antecedents of each case that must all hold.
func NewModel(m model.Model, p *Problem, when [][]int) *Model {
	return &Model{Model: m, notes: p.Set.Data.Notes, when: when}
}

// Decides returns the class that a model of a problem predicts where these antecedents hold.
func (m *Model) Decides(holds func(antecedent int) bool) int {
	cases := m.Cases()
	for i, when := range m.when {
		if !slices.ContainsFunc(when, func(k int) bool { return !holds(k) }) {
			return cases[i].Class
		}
	}
	return cases[len(cases)-1].Class // one case decides each row, the last one any
}

// Antecedents returns the antecedents of each case that must all hold, by their index in the
// set of the problem with Cuts. A model that Decode read has none.
func (m *Model) Antecedents() [][]int { return m.when }

// Cuts returns the thresholds of a tree whose table was read with AllCuts.
func (m *Model) Cuts() []dataset.Cut { return m.cuts }

// Stats returns what the search took.
func (m *Model) Stats() report.Stats { return m.stats }

// Prediction is what a model says of a row: class, label, the case that decided,
// and the probability of each class.
type Prediction = predict.Prediction

// Predict predicts for a row, given as cells by column name. Columns that the
// model does not look at may be missing or present. On a cell that is missing,
// where none was in training, or not of its column's kind, no condition holds.
func (m *Model) Predict(row map[string]string) (Prediction, error) {
	return predict.Predict(m.Model, row, predict.Options{})
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

// Report returns what was found, what is proved, and what it took. A model that
// Decode read lacks the notes on the data and the effort.
func (m *Model) Report() report.Result {
	r := report.New(m.Model, m.About().Data.Source, m.notes)
	r.Stats, r.Proved, r.F1 = m.stats, m.Proved(), m.F1
	return r
}

// Decode reads a model file of any family; name stands for it in errors.
func Decode(r io.Reader, name string) (*Model, error) {
	f, err := model.ReadFile(r, name)
	if err != nil {
		return nil, err
	}
	for _, family := range families {
		if f.Format != family.Kind.Format() {
			continue
		}
		m, err := family.decode(f)
		if err != nil {
			return nil, err
		}
		return &Model{Model: m}, nil
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
