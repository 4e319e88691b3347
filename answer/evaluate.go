package answer

import (
	"cmp"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"parcorels/dataset"
	"parcorels/model"
	"parcorels/model/evaluate"
	"parcorels/model/predict"
	"parcorels/report"
)

// Evaluated is how good a model is on a table, for programs and as text.
type Evaluated struct {
	TableRows  int64 `json:"table_rows"`     // of which some may have no label
	Unlabelled int64 `json:"unlabelled"`     // whose label is missing, or unknown to the model
	Trained    bool  `json:"training_table"` // the model was learned from this very file
	evaluate.Measures
	Costs       *predict.Costs           `json:"costs,omitempty"` // of decisions
	By          string                   `json:"by,omitempty"`
	Groups      []evaluate.GroupMeasures `json:"groups,omitempty"`
	Differences []evaluate.Difference    `json:"differences,omitempty"`
	Notes       []string                 `json:"notes"`
}

// NoLabels says that no row could be evaluated.
func NoLabels(path string, m model.Model, summary *predict.Summary) error {
	if summary.Rows == 0 {
		return fmt.Errorf("%s: there is a header, but no row of data", path)
	}
	if w := summary.Warnings(); summary.Strange.Cells > 0 {
		return fmt.Errorf("%s: %s: it knows %s", path, w[len(w)-1], strings.Join(m.About().Classes, ", "))
	}
	return fmt.Errorf("%s: no row has a label: what the model predicts should be in column %q", path, m.About().Target)
}

// LearnedFrom reports whether a file is the table that the model was learned from, by
// its SHA-256.
func LearnedFrom(m model.Model, path string) bool {
	hash, err := dataset.HashOf(path)
	return err == nil && hash == m.About().Data.Hash
}

// OfTraining warns of figures on the table that a model was learned from.
func OfTraining(f *model.Frame) string { return render("of training", f) }

// level is the P up to which a model is said to be better than chance.
const level = .05

// Chance says how often shuffled labels allow as good a model, whose noun is that of its kind.
func Chance(c *report.Chance, noun string) string {
	return render("chance", map[string]any{"Chance": c, "Noun": noun, "Level": level,
		"Often": float64(c.AsGood+1) > level*float64(c.Shuffles+1)})
}

// NewEvaluated returns how good a model is on the table at a path, by the groups of a column if one is named.
func NewEvaluated(m model.Model, summary *predict.Summary, path, by string) *Evaluated {
	r := &Evaluated{
		TableRows: summary.Rows, Unlabelled: summary.Rows - summary.Skipped - summary.Evaluation.Rows(),
		Measures: summary.Evaluation.Measures(), Costs: summary.Costs, By: by, Notes: append([]string{}, summary.Warnings()...),
	}
	r.Intervals = summary.Evaluation.Intervals()
	if r.Trained = LearnedFrom(m, path); r.Trained {
		r.Notes = append([]string{OfTraining(m.About())}, r.Notes...)
	}
	if math.IsInf(float64(r.LogLoss), 1) {
		r.Notes = append(r.Notes, "log loss is finite with --laplace")
	}
	for _, g := range summary.Groups {
		r.Groups = append(r.Groups, g.Measures())
	}
	r.Differences = evaluate.Differences(r.Groups)
	return r
}

// Text says so for people.
func (r *Evaluated) Text(path string) string {
	return render("evaluated", evaluated{r, path})
}

// evaluated is what the templates in evaluate.txt say of a table.
type evaluated struct {
	*Evaluated
	Path string
}

// Ranges are the intervals, none of them where nobody asked.
func (r evaluated) Ranges() *evaluate.Intervals { return cmp.Or(r.Intervals, &evaluate.Intervals{}) }

// Confused is the confusion. The words actual and predicted stand before it if it is too wide with them at each class.
func (r evaluated) Confused() (text string) {
	for _, words := range []bool{true, false} {
		text = render("confusion", map[string]any{"Words": words, "Classes": r.Classes, "Confusion": r.Confusion})
		if first, _, _ := strings.Cut(text, "\n"); utf8.RuneCountInString(first) <= Width {
			return text
		}
	}
	return text
}
