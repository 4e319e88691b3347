package answer

import (
	"fmt"
	"parcorels/ask/crossval"
	"parcorels/family"
	"parcorels/model"
	"slices"
	"time"
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

// Regret says what the decisions of the models for a λ cost.
func (v *CrossValidation) Regret(c *crossval.Cost) string {
	return regret("test", fmt.Sprintf("%.4g ± %.2g", c.Model.Mean, c.Model.Error), v.Data.LabelTexts(),
		func(class int) float64 { return float64(c.Each[class].Mean) })
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
