package answer

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"parcorels/ask/crossval"
	"parcorels/dataset"
	"parcorels/family"
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

// CrossValidation is what was cross-validated, as text and for programs.
type CrossValidation struct {
	Family    *family.Family
	Path      string
	Data      *family.Data
	Report    *crossval.Report
	Summaries []crossval.Summary
	Rule      crossval.Pick // "" if no λ is to be picked
	Picked    int           // index in Summaries; -1 if none is
	Total     time.Duration
	Limits    []FairLimit // that each list keeps on its training part
}

// Text is what cv prints for people.
func (v *CrossValidation) Text(quiet bool) string {
	var models []model.Model
	for _, f := range slices.Concat(v.Report.Fits...) {
		if f != nil {
			models = append(models, f.Model)
		}
	}
	return render("cross-validation", struct {
		*CrossValidation
		Quiet bool
	}{v, quiet}) + AskForeknown(models...)
}

// Width is that of the longest λ.
func (v *CrossValidation) Width() int {
	width := 1
	for _, s := range v.Summaries {
		width = max(width, len(s.Lambda.String()))
	}
	return width
}

// Within returns how the limits do on all rows, each as the list decides it that was learned without its fold; nil without limits.
func (v *CrossValidation) Within(l int) *Fair {
	if v.Limits == nil || v.Summaries[l].Done == 0 {
		return nil
	}
	x := &Fair{Limits: v.Limits}
	x.Unseen(v.Report.Together(l))
	return x
}

// Best is the summary of the λ with the smallest error, where all folds are done.
func (v *CrossValidation) Best() crossval.Summary {
	best, _ := v.Report.Pick(crossval.Best)
	return v.Summaries[best]
}

// CVReport is the JSON object of cv. Folds are counted from 1.
type CVReport struct {
	Model   model.Family  `json:"model"`
	Status  string        `json:"status"` // complete or interrupted
	Data    report.Data   `json:"data"`
	Samples int           `json:"samples"`
	Folds   int           `json:"folds"`
	Seed    uint64        `json:"seed"`
	Rule    string        `json:"pick,omitempty"`
	Picked  string        `json:"picked_lambda,omitempty"`
	Lambdas []lambdaEntry `json:"lambdas"`
	Fits    []fitEntry    `json:"fits"`
	Seconds float64       `json:"seconds_total"` // from the start of the program
	Workers int           `json:"workers"`
}

// lambdaEntry sums the fits for one λ up.
type lambdaEntry struct {
	Lambda float64 `json:"lambda"`
	Text   string  `json:"lambda_text"`
	crossval.Summary
	Limits []FairLimit `json:"limits,omitempty"` // of an operating point, on the folds left out
}

// foldRates are those of one fit. TPR and FPR are null of more than two classes, and where there is none of the class.
type foldRates struct {
	Accuracy evaluate.Rate `json:"accuracy"`
	TPR      evaluate.Rate `json:"tpr"`
	FPR      evaluate.Rate `json:"fpr"`
}

// fitEntry is one fit.
type fitEntry struct {
	Fold int `json:"fold"`
	report.Summary
	Lambda      string    `json:"lambda_text"` // of a Bayesian rule list, its length
	Antecedents int       `json:"antecedents"`
	Train       foldRates `json:"train"`
	Test        foldRates `json:"test"`
	Seconds     float64   `json:"seconds_search"`
	Expanded    int64     `json:"expanded"` // prefixes; sets counted of a tree, rules looked at of a rule set
}

// Object makes the JSON object of the report.
func (v *CrossValidation) Object() CVReport {
	d, o := v.Data, v.Report.Options
	r := CVReport{
		Model: v.Family.Kind, Status: "complete", Samples: d.N, Folds: o.Folds, Seed: o.Seed, Rule: string(v.Rule),
		Data: report.Data{File: v.Path, Hash: d.Hash, Target: d.Target, Classes: d.LabelTexts(), Dropped: int64(d.Dropped),
			Notes: append([]string{}, d.Notes...)},
		Seconds: report.Seconds(v.Total), Workers: o.Workers,
	}
	if !v.Report.Complete() {
		r.Status = "interrupted"
	}
	if v.Picked >= 0 {
		r.Picked = v.Summaries[v.Picked].Lambda.String()
	}
	for l, s := range v.Summaries {
		entry := lambdaEntry{Lambda: s.Lambda.Float(), Text: s.Lambda.String(), Summary: s}
		if x := v.Within(l); x != nil {
			entry.Limits = x.KeptBack
		}
		r.Lambdas = append(r.Lambdas, entry)
		for _, f := range v.Report.Fits[l] {
			if f != nil {
				r.Fits = append(r.Fits, newFitEntry(f))
			}
		}
	}
	return r
}

func newFitEntry(f *crossval.Fit) fitEntry {
	ofFit := func(m *evaluate.Measures) foldRates { return foldRates{m.Accuracy, m.One().Recall, m.One().FPR} }
	return fitEntry{Fold: f.Fold + 1, Summary: report.Summarize(f.Model), Lambda: f.Lambda.String(), Antecedents: f.Antecedents,
		Train: ofFit(&f.Train), Test: ofFit(&f.Test), Seconds: report.Seconds(f.Search), Expanded: f.Work}
}
