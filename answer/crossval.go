package answer

import (
	"fmt"
	"math"
	"parcorels/ask/crossval"
	"parcorels/family"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/model/evaluate"
	"slices"
	"strings"
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

// foldsOf is "all 10 folds" or "3 of 10 folds".
func foldsOf(n, all int) string {
	if n == all && all > 1 {
		return fmt.Sprintf("all %d folds", all)
	}
	return fmt.Sprintf("%d of %s", n, wording.Count(int64(all), "fold"))
}

// measuresText has the measures on test parts ± standard errors.
func measuresText(s crossval.Summary) string {
	m := s.Measured
	part := func(name string, e crossval.Estimate, scale float64, decimals int, unit string) string {
		if math.IsNaN(float64(e.Mean)) {
			return name + " undefined"
		}
		text := fmt.Sprintf("%s %.*f", name, decimals, scale*float64(e.Mean))
		if e.Values > 1 {
			text += fmt.Sprintf(" ± %.*f", decimals, scale*e.Error)
		}
		return text + unit
	}
	parts := []string{
		part("accuracy", m.Accuracy, 100, 1, fmt.Sprintf("%% (base rate %.1f%%)", 100*m.Majority.Mean)),
		part("balanced", m.Balanced, 100, 1, "%"), part("precision", m.Precision, 100, 1, "%"),
		part("recall", m.Recall, 100, 1, "%"), part("F1", m.F1, 100, 1, "%"), part("AUC", m.AUC, 1, 3, ""),
		part("log loss", m.LogLoss, 1, 3, ""), part("Brier", m.Brier, 1, 3, ""),
	}
	if m.Lift.Values > 0 && evaluate.RareBeside(float64(m.Majority.Mean)) { // a rare class: what ranks the rows leads
		parts = append([]string{parts[5], part("average precision", m.AveragePrecision, 1, 3, ""),
			part("lift of a tenth", m.Lift, 1, 2, ""), parts[6]}, slices.Concat(parts[:5], parts[7:])...)
	}
	return "test: " + strings.Join(parts, ", ")
}

// plusMinus is mean ± standard deviation, in units of 1/scale.
func plusMinus(e crossval.Estimate, scale float64, decimals int) string {
	if math.IsNaN(float64(e.Mean)) {
		return "undefined"
	}
	return fmt.Sprintf("%.*f ± %.*f", decimals, scale*float64(e.Mean), decimals, scale*e.Deviation)
}

// Best is the summary of the λ with the smallest error, where all folds are done.
func (v *CrossValidation) Best() crossval.Summary {
	best, _ := v.Report.Pick(crossval.Best)
	return v.Summaries[best]
}
