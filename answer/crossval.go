package answer

import (
	"slices"
	"time"

	"parcorels/ask/crossval"
	"parcorels/family"
	"parcorels/model"
	"parcorels/model/evaluate"
	"parcorels/report"
)

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
