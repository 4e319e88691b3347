package model

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"parcorels/internal/wording"
)

// Text returns the measures as people read them:
//
//	accuracy            66.3%   (always predicting no: 52.8%)
//	balanced accuracy   66.0%
//	precision           65.4%   of class yes
//	…
//
//	             predicted no   predicted yes
//	actual no           2,437             989
func (m Measures) Text() string {
	of := "mean over classes"
	if len(m.Classes) == 2 {
		of = "of class " + wording.Printable(m.Classes[1])
	}
	names := []string{"accuracy", "balanced accuracy", "precision", "recall", "F1", "AUC", "log loss", "Brier score"}
	values := []string{m.Accuracy.text(), m.Balanced.text(), m.Precision.text(), m.Recall.text(), m.F1.text(), m.AUC.decimal(), m.LogLoss.decimal(), m.Brier.decimal()}
	notes := []string{"(always predicting " + wording.Printable(m.Frequent) + ": " + m.Majority.text() + ")", "", of, of, of, of, "", ""}
	if math.IsInf(float64(m.LogLoss), 1) {
		notes[6] = "(a rule that was never wrong in training is wrong here: smooth the probabilities by Laplace's rule)"
	}
	padRight(names)
	padLeft(values)
	var b strings.Builder
	for i := range names {
		b.WriteString(strings.TrimRight(names[i]+columnGap+values[i]+columnGap+notes[i], " ") + "\n")
	}
	if len(m.Classes) > 2 {
		b.WriteString("\n" + m.perClass())
	}
	e := Evaluation{Classes: m.Classes}
	return b.String() + "\n" + e.confusionText(m.Confusion)
}

// perClass sets the measures of each of more than two classes.
func (m Measures) perClass() string {
	table := [][]string{{"class"}, {"rows"}, {"precision"}, {"recall"}, {"F1"}, {"AUC"}}
	for _, k := range m.PerClass {
		cells := []string{wording.Printable(k.Class), wording.Thousands(k.Rows), k.Precision.text(), k.Recall.text(), k.F1.text(), k.AUC.decimal()}
		for i, c := range cells {
			table[i] = append(table[i], c)
		}
	}
	return aligned(table)
}

// GroupText returns the measures of groups by the values of a column, and the
// largest differences between them.
func GroupText(column string, groups []GroupMeasures, differences []Difference) string {
	table := [][]string{{wording.Printable(column)}, {"rows"}, {"accuracy"}, {"selected"}, {"TPR"}, {"FPR"}, {"PPV"}}
	many := len(groups) > 0 && len(groups[0].Classes) > 2
	if many {
		table = [][]string{{wording.Printable(column)}, {"rows"}, {"accuracy"}, {"balanced"}, {"F1"}}
	}
	for i := range groups {
		g := &groups[i]
		cells := []string{wording.Printable(g.Group), wording.Thousands(g.Rows), g.Accuracy.text(), g.Selected.text(), g.TPR.text(), g.FPR.text(), g.PPV.text()}
		if many {
			cells = append(cells[:3], g.Balanced.text(), g.F1.text())
		}
		for i, c := range cells {
			table[i] = append(table[i], c)
		}
	}
	var b strings.Builder
	b.WriteString(aligned(table) + "\nlargest differences (percentage points)\n")
	names, sizes := []string{}, []string{}
	for _, d := range differences {
		names, sizes = append(names, d.Measure), append(sizes, strings.TrimSuffix(d.Size.text(), "%"))
	}
	padRight(names)
	padLeft(sizes)
	for i, d := range differences {
		fmt.Fprintf(&b, "%s%s%s%s%s most, %s least\n", names[i], columnGap, sizes[i], columnGap, wording.Printable(d.Most), wording.Printable(d.Least))
	}
	return b.String()
}

// aligned sets columns, the first to the left and all others to the right.
func aligned(table [][]string) string {
	padRight(table[0])
	for _, column := range table[1:] {
		padLeft(column)
	}
	return rowsOf(table)
}

// decimal returns a measure that is no share with four decimals.
func (r Rate) decimal() string {
	switch {
	case math.IsNaN(float64(r)):
		return "–"
	case math.IsInf(float64(r), 0):
		return "∞"
	}
	return strconv.FormatFloat(float64(r), 'f', 4, 64)
}
