package rulelist

import (
	"fmt"
	"math"

	"parcorels/internal/wording"
)

// Evaluation compares predictions with the labels that a table gives.
type Evaluation struct {
	Target  string    // column that the labels came from; "" for a label file
	Classes [2]string // raw label texts of class 0 and class 1
	// Confusion[a][p] counts the rows whose label is class a and whose
	// prediction is class p. Rows count one each, whatever their weight.
	Confusion [2][2]int64
}

// Add counts one row.
func (e *Evaluation) Add(actual, predicted int) { e.Confusion[actual][predicted]++ }

// Rows returns how many rows had a label.
func (e *Evaluation) Rows() int64 {
	c := &e.Confusion
	return c[0][0] + c[0][1] + c[1][0] + c[1][1]
}

// Errors returns how many of those rows were predicted wrongly.
func (e *Evaluation) Errors() int64 { return e.Confusion[0][1] + e.Confusion[1][0] }

// Accuracy returns the share of rows predicted rightly, NaN of no rows.
func (e *Evaluation) Accuracy() float64 { return share(e.Rows()-e.Errors(), e.Rows()) }

// TPR returns the true positive rate: the share of the rows of class 1 that
// were predicted to be so; NaN if there are none.
func (e *Evaluation) TPR() float64 {
	return share(e.Confusion[1][1], e.Confusion[1][0]+e.Confusion[1][1])
}

// FPR returns the false positive rate: the share of the rows of class 0 that
// were predicted to be of class 1; NaN if there are none.
func (e *Evaluation) FPR() float64 {
	return share(e.Confusion[0][1], e.Confusion[0][0]+e.Confusion[0][1])
}

func share(part, whole int64) float64 {
	if whole == 0 {
		return math.NaN()
	}
	return float64(part) / float64(whole)
}

// String returns the rates and the confusion table:
//
//	accuracy 66.3% (4,303 of 6,489 rows right), TPR 60.9%, FPR 28.9%
//	             predicted no   predicted yes
//	actual no           2,437             989
//	actual yes          1,197           1,866
//
// A rate of no rows is "undefined".
func (e *Evaluation) String() string {
	c := &e.Confusion
	rows, right := e.Rows(), e.Rows()-e.Errors()
	text := fmt.Sprintf("accuracy %s (%s of %s rows right), TPR %s, FPR %s\n",
		rate(right, rows), wording.Thousands(right), wording.Thousands(rows),
		rate(c[1][1], c[1][0]+c[1][1]), rate(c[0][1], c[0][0]+c[0][1]))
	actual := []string{"", "actual " + wording.Printable(e.Classes[0]), "actual " + wording.Printable(e.Classes[1])}
	padRight(actual)
	var predicted [2][]string
	for p, label := range e.Classes {
		predicted[p] = []string{"predicted " + wording.Printable(label), wording.Thousands(c[0][p]), wording.Thousands(c[1][p])}
		padLeft(predicted[p])
	}
	for r := range actual {
		text += actual[r] + columnGap + predicted[0][r] + columnGap + predicted[1][r] + "\n"
	}
	return text
}

func rate(part, whole int64) string {
	if whole == 0 {
		return "undefined"
	}
	return percent(part, whole)
}
