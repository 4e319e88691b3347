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
	names := []string{"accuracy", "balanced accuracy", "precision", "recall", "F1", "AUC", "log loss", "Brier score"}
	values := []string{m.Accuracy.Percent(), m.Balanced.Percent(), m.Precision.Percent(), m.Recall.Percent(), m.F1.Percent(),
		m.AUC.Decimal(4), m.LogLoss.Decimal(4), m.Brier.Decimal(4)}
	notes := []string{"(always predicting " + wording.Printable(m.Frequent) + ": " + m.Majority.Percent() + ")", "", of, of, of, of, "", ""}
	if math.IsInf(float64(m.LogLoss), 1) {
		notes[6] = "(a rule never wrong in training is wrong here)"
	}
	ranges := m.ranges()
	if m.Rare() {
		rank := "of the tenth most likely to be " + wording.Printable(m.Classes[1])
		leading := [][]string{{"AUC", "average precision", "lift", "log loss"},
			{values[5], m.AveragePrecision.Decimal(4), m.Lift.Decimal(2), values[6]}, {of, of, rank, notes[6]}, {ranges[5], "", "", ""}}
		for i, list := range []*[]string{&names, &values, &notes, &ranges} {
			*list = slices.Concat(leading[i], (*list)[:5], (*list)[7:])
		}
	}
	wording.PadRight(names)
	wording.PadLeft(values)
	wording.PadRight(ranges)
	var b strings.Builder
	for i := range names {
		line := names[i] + wording.ColumnGap + values[i] + wording.ColumnGap
		if m.Intervals != nil {
			line += ranges[i] + wording.ColumnGap
		}
		b.WriteString(strings.TrimRight(line+notes[i], " ") + "\n")
	}
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

// ranges returns the intervals of the lines of Text, "" where there is none.
func (m Measures) ranges() []string {
	list := make([]string, 8)
	if m.Intervals == nil {
		return list
	}
	for at, i := range map[int]*interval.Interval{0: m.Intervals.Accuracy, 2: m.Intervals.Precision, 3: m.Intervals.Recall} {
		if i != nil {
			list[at] = fmt.Sprintf("%.1f–%.1f%%", 100*i.Low, 100*i.High)
		}
	}
	if i := m.Intervals.AUC; i != nil {
		list[5] = fmt.Sprintf("%.3f–%.3f", i.Low, i.High)
	}
	return list
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
	table := [][]string{{"class"}, {"rows"}, {"precision"}, {"recall"}, {"F1"}, {"AUC"}}
	for _, k := range m.PerClass {
		cells := []string{wording.Printable(k.Class), wording.Thousands(k.Rows), k.Precision.Percent(), k.Recall.Percent(), k.F1.Percent(),
			k.AUC.Decimal(4)}
		for i, c := range cells {
			table[i] = append(table[i], c)
		}
	}
	return aligned(table)
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
	names, sizes := []string{}, []string{}
	for _, d := range differences {
		names, sizes = append(names, wording.Printable(d.Name())), append(sizes, strings.TrimSuffix(d.Size.Percent(), "%"))
	}
	wording.PadRight(names)
	wording.PadLeft(sizes)
	for i, d := range differences {
		who := wording.Printable(d.Most) + " most, " + wording.Printable(d.Least) + " least"
		if d.Size == 0 {
			who = "the same in all"
		}
		b.WriteString(names[i] + wording.ColumnGap + sizes[i] + wording.ColumnGap + who + "\n")
	}
	return b.String()
}

// groupTable has a line for each group: its name, its rows, and some rates.
func groupTable(groups []GroupMeasures, head []string, rates func(*GroupMeasures) []Rate) string {
	table := make([][]string, len(head))
	for i, name := range head {
		table[i] = []string{name}
	}
	for i := range groups {
		g := &groups[i]
		table[0] = append(table[0], wording.Printable(g.Group))
		table[1] = append(table[1], wording.Thousands(g.Rows))
		for j, r := range rates(g) {
			table[j+2] = append(table[j+2], r.Percent())
		}
	}
	return aligned(table)
}

// aligned sets columns, the first to the left and all others to the right.
func aligned(table [][]string) string {
	wording.PadRight(table[0])
	for _, column := range table[1:] {
		wording.PadLeft(column)
	}
	return rowsOf(table)
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
