package cli

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"parcorels/ask/crossval"
	"parcorels/internal/wording"
	"parcorels/model"
)

// text is what cv prints for people.
func (v *validated) text(quiet bool) string {
	var b strings.Builder
	if !quiet {
		b.WriteString(v.head() + "\n")
	}
	b.WriteString(v.table())
	b.WriteString(v.groupsText())
	if !quiet {
		for _, s := range v.summaries {
			for _, f := range s.Found {
				if len(f.Folds) > 1 || s.Done == 1 { // what a single fold found says little
					b.WriteString("\n" + v.found(s, f))
				}
			}
		}
	}
	if v.rule != "" {
		b.WriteString("\n" + v.choice())
	}
	b.WriteString(v.foreknown())
	if v.chance != nil {
		b.WriteString("\n" + wrapHanging(fmt.Sprintf("learned from all samples with λ = %s: %s", v.summaries[v.picked].Lambda, reportedChance(*v.chance).Text(v.family.Noun())), 4))
	}
	return b.String()
}

// foreknown asks whether what a model looks at was known before the label, of the first model
// of which it is asked: the others are like it.
func (v *validated) foreknown() string {
	for _, fits := range v.report.Fits {
		for _, f := range fits {
			if f == nil {
				continue
			}
			if text := askForeknown(f.Model); text != "" {
				return text
			}
		}
	}
	return ""
}

// head says what was cross-validated.
func (v *validated) head() string {
	d, o := v.data, v.report.Options
	parts := fmt.Sprintf("%d folds", o.Folds)
	if o.Holdout > 0 {
		parts = fmt.Sprintf("a test part of %s", wording.Count(int64(v.report.Folds[0].Count()), "sample"))
	}
	positive := ""
	if d.ClassCount() == 2 {
		positive = ", TPR is of class " + wording.Printable(d.Classes[1])
	}
	if v.family.Name != "list" {
		parts = string(v.family.Kind) + "s, " + parts
	}
	return samplesLine(v.path, d.Dataset) + fmt.Sprintf("%s, seed %d%s%s\n", parts, o.Seed,
		map[crossval.Balance]string{
			crossval.Weights:  ", training parts balanced by weights",
			crossval.Resample: ", training parts balanced by resampling",
		}[o.Balance], positive) + notes(d.Notes)
}

// table has three lines for every λ.
func (v *validated) table() string {
	width := 1
	for _, s := range v.summaries {
		width = max(width, len(s.Lambda.String()))
	}
	var b strings.Builder
	many := v.data.ClassCount() > 2 // classes: no rates of one of two
	line := func(lambda, size, objective, part, accuracy, tpr, fpr string) {
		if many {
			tpr, fpr = "", ""
		}
		text := fmt.Sprintf("%*s  %-9s  %-15s  %-5s  %-11s  %-11s  %s", width, lambda, size, objective, part, accuracy, tpr, fpr)
		b.WriteString(strings.TrimRight(text, " ") + "\n")
	}
	head := map[model.Family]string{model.RuleSet: "value", model.BayesianRuleList: "log posterior"}
	decimals := map[model.Family]int{model.RuleSet: 1, model.BayesianRuleList: 2}
	size, kind := "rules", v.family.Kind
	if kind == model.Tree {
		size = "leaves"
	}
	if head[kind] == "" {
		head[kind], decimals[kind] = "objective", 4
	}
	line("λ", size, head[kind], "", "accuracy %", "TPR %", "FPR %")
	for _, s := range v.summaries {
		if s.Done == 0 {
			line(s.Lambda.String(), "no fold done", "", "", "", "", "")
			continue
		}
		line(s.Lambda.String(), plusMinus(s.Length, 1, 1), plusMinus(s.Objective, 1, decimals[kind]),
			"train", plusMinus(s.Train.Accuracy, 100, 1), plusMinus(s.Train.TPR, 100, 1), plusMinus(s.Train.FPR, 100, 1))
		line("", "", "",
			"test", plusMinus(s.Test.Accuracy, 100, 1), plusMinus(s.Test.TPR, 100, 1), plusMinus(s.Test.FPR, 100, 1))
		b.WriteString(wrap(measuresText(s), width+2))
		b.WriteString(wrap(v.agreement(s), width+2))
	}
	return b.String()
}

// agreement says how many folds found the same list, and what is not proved.
func (v *validated) agreement(s crossval.Summary) string {
	folds := v.report.Options.Folds
	text := "a search took " + plusMinus(s.Seconds, 1, 3) + " s"
	what := v.family.Noun()
	switch most := len(s.Found[0].Folds); {
	case s.Done == 1: // nothing to agree with
	case most == 1:
		text = "no two folds found the same " + what + "; " + text
	default:
		text = foldsOf(most, s.Done) + " found the same " + what + "; " + text
	}
	if s.Unproven > 0 {
		text += fmt.Sprintf("; %s not proved optimal", foldsOf(s.Unproven, s.Done))
		if s.Limited > 0 {
			text += ": a limit ended the search"
		}
	}
	if s.Done < folds {
		text += fmt.Sprintf("; interrupted: %d of %d folds done", s.Done, folds)
	}
	return text
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
		if math.IsNaN(e.Mean) {
			return name + " undefined"
		}
		text := fmt.Sprintf("%s %.*f", name, decimals, scale*e.Mean)
		if e.Values > 1 {
			text += fmt.Sprintf(" ± %.*f", decimals, scale*e.StandardError())
		}
		return text + unit
	}
	return "test: " + strings.Join([]string{
		part("accuracy", m.Accuracy, 100, 1, fmt.Sprintf("%% (base rate %.1f%%)", 100*m.Majority.Mean)), part("balanced", m.Balanced, 100, 1, "%"), part("precision", m.Precision, 100, 1, "%"),
		part("recall", m.Recall, 100, 1, "%"), part("F1", m.F1, 100, 1, "%"), part("AUC", m.AUC, 1, 3, ""),
		part("log loss", m.LogLoss, 1, 3, ""), part("Brier", m.Brier, 1, 3, ""),
	}, ", ")
}

// plusMinus is mean ± standard deviation, in units of 1/scale.
func plusMinus(e crossval.Estimate, scale float64, decimals int) string {
	if math.IsNaN(e.Mean) {
		return "undefined"
	}
	return fmt.Sprintf("%.*f ± %.*f", decimals, scale*e.Mean, decimals, scale*e.Deviation)
}

// doubts says what may be wrong with the λ picked.
func (v *validated) doubts() (text string) {
	s := v.summaries[v.picked]
	beyond := " (--lambda auto)"
	if v.auto {
		beyond = " (name it: --lambda)"
	}
	switch v.report.AtEdge(v.picked) {
	case -1:
		text += "; it is the smallest tried, a smaller one may be better" + beyond
	case 1:
		text += "; it is the largest tried, a larger one may be better" + beyond
	}
	if s.Unproven > 0 {
		text += fmt.Sprintf("; %s of it not proved optimal, so its error may not be that of the best", foldsOf(s.Unproven, s.Done))
	}
	return text
}

// choice says which λ was picked, and why.
func (v *validated) choice() string {
	if v.picked < 0 {
		return wrap("no λ picked: not all folds are done", 0)
	}
	best, _ := v.report.Pick(crossval.Best)
	s, b := v.summaries[v.picked], v.summaries[best]
	text := fmt.Sprintf("λ = %s picked: mean error %.2f%% on the folds left out, the smallest", s.Lambda, 100*s.Error.Mean)
	if v.rule == crossval.OneStandardError {
		text = fmt.Sprintf("λ = %s picked: the largest whose mean error on the folds left out, %.2f%%, is within one standard error, %.2f%%, of the smallest, %.2f%% (λ = %s)",
			s.Lambda, 100*s.Error.Mean, 100*b.Error.StandardError(), 100*b.Error.Mean, b.Lambda)
	}
	text += v.doubts()
	if v.report.Options.Balance != crossval.Unbalanced {
		text += "; both classes count the same in these errors"
	}
	return wrap(text, 0)
}

// found is one model with its folds.
func (v *validated) found(s crossval.Summary, f crossval.Found) string {
	var numbers []string
	for _, fold := range f.Folds {
		numbers = append(numbers, strconv.Itoa(fold+1))
	}
	title := fmt.Sprintf("λ = %s, found by %s", s.Lambda, foldsOf(len(f.Folds), s.Done))
	if s.Done == 1 {
		title = "λ = " + s.Lambda.String()
	}
	if len(f.Folds) < s.Done {
		title += " (" + strings.Join(numbers, ", ") + ")"
	}
	var b strings.Builder
	b.WriteString(wrapHanging(title+":", 4))
	label := func(class int) string { return wording.Printable(v.data.ClassName(class)) }
	if len(f.Lines) == 1 {
		return b.String() + "predict " + label(f.Lines[0].Class) + " for everyone\n"
	}
	for i, l := range f.Lines {
		if l.Text == "" {
			b.WriteString("else " + label(l.Class) + "\n")
			continue
		}
		pieces := strings.Split(l.Text, " and ") // a line may be broken there
		for k, piece := range pieces {
			pieces[k] = "and " + wording.Printable(piece)
		}
		pieces[0] = v.opening(i) + strings.TrimPrefix(pieces[0], "and ")
		b.WriteString(strings.Join(model.Fill(append(pieces, "then "+label(l.Class)), helpWidth), "\n") + "\n")
	}
	return b.String()
}

// opening returns the words before line i. Every path of a tree stands alone, and
// so does every rule of a set.
func (v *validated) opening(i int) string {
	switch {
	case i == 0 || v.family.Kind == model.Tree:
		return "if   "
	case v.family.Kind == model.RuleSet:
		return "or   "
	}
	return "else if "
}
