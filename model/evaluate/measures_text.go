package evaluate

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"parcorels/internal/interval"
	"parcorels/internal/wording"
)

// Text returns the measures as people read them:
//
//	accuracy            66.3%   65.1–67.4%   (always predicting no: 52.8%)
//	balanced accuracy   66.0%
//	precision           65.4%   63.6–67.1%   of class yes
//	…
//	(ranges: 95% intervals for rows like these)
//
//	             predicted no   predicted yes
//	actual no           2,437             989
func (m Measures) Text() string {
	of := "mean over classes"
	if len(m.Classes) == 2 {
		of = "of class " + wording.Printable(m.Classes[1])
	}
	loss := ""
	if math.IsInf(float64(m.LogLoss), 1) {
		loss = "(a rule never wrong in training is wrong here)"
	}
	in := m.Intervals
	if in == nil {
		in = &Intervals{}
	}
	rows := [][]string{
		{"accuracy", m.Accuracy.Percent(), percents(in.Accuracy), "(always predicting " + wording.Printable(m.Frequent) + ": " +
			m.Majority.Percent() + ")"},
		{"balanced accuracy", m.Balanced.Percent(), "", ""}, {"precision", m.Precision.Percent(), percents(in.Precision), of},
		{"recall", m.Recall.Percent(), percents(in.Recall), of}, {"F1", m.F1.Percent(), "", of},
		{"AUC", m.AUC.Decimal(4), "", of}, {"log loss", m.LogLoss.Decimal(4), "", loss}, {"Brier score", m.Brier.Decimal(4), "", ""},
	}
	if in.AUC != nil {
		rows[5][2] = fmt.Sprintf("%.3f–%.3f", in.AUC.Low, in.AUC.High)
	}
	if m.Rare() { // what ranks the rows leads
		rank := "of the tenth most likely to be " + wording.Printable(m.Classes[1])
		rows = slices.Concat([][]string{rows[5], {"average precision", m.AveragePrecision.Decimal(4), "", of},
			{"lift", m.Lift.Decimal(2), "", rank}, rows[6]}, rows[:5], rows[7:])
	}
	if m.Intervals == nil {
		for i, row := range rows {
			rows[i] = slices.Delete(row, 2, 3)
		}
	}
	var b strings.Builder
	b.WriteString(wording.Table(rows, 0, 2, 3))
	if m.Intervals != nil {
		b.WriteString("(ranges: 95% intervals for rows like these)\n")
	}
	if len(m.Classes) > 2 {
		b.WriteString("\n" + m.perClass())
	}
	if m.Weight != nil {
		fmt.Fprintf(&b, "\nby weight: the %s weigh %s\n", wording.Count(m.Rows, "row"), WeightText(*m.Weight))
	}
	return b.String() + "\n" + confusionText(m.Classes, m.Confusion, WeightText)
}

// percents is an interval of shares; "" for none.
func percents(in *interval.Interval) string {
	if in == nil {
		return ""
	}
	return fmt.Sprintf("%.1f–%.1f%%", 100*in.Low, 100*in.High)
}

// WeightText returns the weight of rows as people read it: a count if they count one each.
func WeightText(w float64) string {
	if w == math.Trunc(w) && w < 1<<53 {
		return wording.Thousands(int64(w))
	}
	return strconv.FormatFloat(w, 'f', 1, 64)
}

// perClass sets the measures of each of more than two classes.
func (m Measures) perClass() string {
	rows := [][]string{{"class", "rows", "precision", "recall", "F1", "AUC"}}
	for _, k := range m.PerClass {
		rows = append(rows, []string{wording.Printable(k.Class), wording.Thousands(k.Rows), k.Precision.Percent(), k.Recall.Percent(),
			k.F1.Percent(), k.AUC.Decimal(4)})
	}
	return wording.Table(rows, 0)
}

// GroupText returns the measures of groups by the values of a column, and the
// largest differences between them. With more than two classes there is a table for
// each class, against all others.
func GroupText(column string, groups []GroupMeasures, differences []Difference) string {
	column = wording.Printable(column)
	var b strings.Builder
	if len(groups) > 0 && len(groups[0].Classes) > 2 {
		b.WriteString(groupTable(groups, []string{column, "rows", "accuracy", "balanced", "F1"}, func(g *GroupMeasures) []Rate {
			return []Rate{g.Accuracy, g.Balanced, g.F1}
		}))
		for c, label := range groups[0].Classes {
			b.WriteString("\nclass " + wording.Printable(label) + " against all others\n")
			b.WriteString(groupTable(groups, []string{column, "rows", "selected", "TPR", "FPR", "PPV"}, func(g *GroupMeasures) []Rate {
				k := &g.PerClass[c]
				return []Rate{k.Selected, k.Recall, k.FPR, k.Precision}
			}))
		}
	} else {
		b.WriteString(groupTable(groups, []string{column, "rows", "accuracy", "selected", "TPR", "FPR", "PPV"},
			func(g *GroupMeasures) []Rate {
				return []Rate{g.Accuracy, g.Selected, g.TPR, g.FPR, g.PPV}
			}))
	}
	if slices.ContainsFunc(groups, func(g GroupMeasures) bool { return g.Rows < FewRows }) {
		fmt.Fprintf(&b, "(groups of fewer than %d rows are not compared)\n", FewRows)
	}
	if len(differences) == 0 {
		return b.String()
	}
	b.WriteString("\nlargest differences (percentage points)\n")
	var rows [][]string
	for _, d := range differences {
		who := wording.Printable(d.Most) + " most, " + wording.Printable(d.Least) + " least"
		if d.Size == 0 {
			who = "the same in all"
		}
		rows = append(rows, []string{wording.Printable(d.Name()), strings.TrimSuffix(d.Size.Percent(), "%"), who})
	}
	return b.String() + wording.Table(rows, 0, 2)
}

// groupTable has a line for each group: its name, its rows, and some rates.
func groupTable(groups []GroupMeasures, head []string, rates func(*GroupMeasures) []Rate) string {
	rows := [][]string{head}
	for i := range groups {
		g := &groups[i]
		row := []string{wording.Printable(g.Group), wording.Thousands(g.Rows)}
		for _, r := range rates(g) {
			row = append(row, r.Percent())
		}
		rows = append(rows, row)
	}
	return wording.Table(rows, 0)
}

// Decimal returns a measure that is no share with so many decimals.
func (r Rate) Decimal(decimals int) string {
	switch {
	case math.IsNaN(float64(r)):
		return "–"
	case math.IsInf(float64(r), 0):
		return "∞"
	}
	return strconv.FormatFloat(float64(r), 'f', decimals, 64)
}
