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
	var b strings.Builder
	if !quiet {
		b.WriteString(render("cv head", v) + "\n")
	}
	b.WriteString(v.table())
	if v.Rule != "" {
		b.WriteString("\n" + v.choice())
	}
	var models []model.Model
	for _, f := range slices.Concat(v.Report.Fits...) {
		if f != nil {
			models = append(models, f.Model)
		}
	}
	return b.String() + AskForeknown(models...)
}

// table has three lines for every λ.
func (v *CrossValidation) table() string {
	width := 1
	for _, s := range v.Summaries {
		width = max(width, len(s.Lambda.String()))
	}
	var b strings.Builder
	many := v.Data.ClassCount() > 2 // classes: no rates of one of two
	line := func(lambda, size, objective, part, accuracy, tpr, fpr string) {
		if many {
			tpr, fpr = "", ""
		}
		text := fmt.Sprintf("%*s  %-9s  %-15s  %-5s  %-11s  %-11s  %s", width, lambda, size, objective, part, accuracy, tpr, fpr)
		b.WriteString(strings.TrimRight(text, " ") + "\n")
	}
	head := map[model.Family]string{model.RuleSet: "value", model.BayesianRuleList: "log posterior"}
	decimals := map[model.Family]int{model.RuleSet: 1, model.BayesianRuleList: 2}
	size, kind := "rules", v.Family.Kind
	if kind == model.Tree {
		size = "leaves"
	}
	if head[kind] == "" {
		head[kind], decimals[kind] = "objective", 4
	}
	line("λ", size, head[kind], "", "accuracy %", "TPR %", "FPR %")
	for l, s := range v.Summaries {
		if s.Done == 0 {
			line(s.Lambda.String(), "no fold done", "", "", "", "", "")
			continue
		}
		line(s.Lambda.String(), plusMinus(s.Length, 1, 1), plusMinus(s.Objective, 1, decimals[kind]),
			"train", plusMinus(s.Train.Accuracy, 100, 1), plusMinus(s.Train.TPR, 100, 1), plusMinus(s.Train.FPR, 100, 1))
		line("", "", "",
			"test", plusMinus(s.Test.Accuracy, 100, 1), plusMinus(s.Test.TPR, 100, 1), plusMinus(s.Test.FPR, 100, 1))
		b.WriteString(Wrap(measuresText(s), width+2))
		if x := v.within(l); x != nil {
			b.WriteString(Wrap("test: "+strings.Join(x.keptBack(), "; "), width+2))
		}
		if c := s.Cost; c != nil {
			b.WriteString(Wrap(regret("test", fmt.Sprintf("%.4g ± %.2g", c.Model.Mean, c.Model.Error), v.Data.LabelTexts(),
				func(class int) float64 { return float64(c.Each[class].Mean) }), width+2))
		}
		b.WriteString(Wrap(v.agreement(s), width+2))
	}
	return b.String()
}

// within returns how the limits do on all rows, each as the list decides it that was learned without its fold; nil without limits.
func (v *CrossValidation) within(l int) *Fair {
	if v.Limits == nil || v.Summaries[l].Done == 0 {
		return nil
	}
	x := &Fair{Limits: v.Limits}
	x.Unseen(v.Report.Together(l))
	return x
}

// agreement says how many folds found the same list, and what is not proved.
func (v *CrossValidation) agreement(s crossval.Summary) string {
	return render("agreement", map[string]any{"Summary": s, "Alike": len(s.Found[0].Folds), "Noun": v.Family.Noun(),
		"Folds": v.Report.Options.Folds, "Took": plusMinus(s.Seconds, 1, 3)})
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

// choice says which λ was picked, and why.
func (v *CrossValidation) choice() string {
	best, _ := v.Report.Pick(crossval.Best)
	return render("choice", map[string]any{"Picked": v.Picked, "Best": v.Summaries[best], "Of": v.Summaries[max(v.Picked, 0)],
		"Nearly": v.Rule == crossval.OneStandardError})
}
