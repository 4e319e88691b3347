package answer

import (
	"fmt"
	"math"
	"parcorels/ask/crossval"
	"parcorels/internal/interval"
	"parcorels/internal/wording"
	"parcorels/model/evaluate"
	"slices"
	"strconv"
	"strings"
)

// Figures as the templates write them.

// between is an interval of shares; "" for none.
func between(in *interval.Interval) string {
	if in == nil {
		return ""
	}
	return fmt.Sprintf("%.1f–%.1f%%", 100*in.Low, 100*in.High)
}

// share writes a rate; "none" where nothing is predicted to be of class 1.
func share(rate evaluate.Rate) string {
	if math.IsNaN(float64(rate)) {
		return "none"
	}
	return wording.Percentage(float64(rate))
}

// errorsOf writes a weight of errors; that of rows without weights is their number.
func errorsOf(weight float64) string {
	if weight == math.Trunc(weight) {
		return wording.Thousands(int64(weight))
	}
	return trimZeros(strconv.FormatFloat(weight, 'f', 4, 64))
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
