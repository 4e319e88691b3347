package model

import (
	"fmt"
	"math"

	"parcorels/internal/wording"
)

// Evaluation compares predictions with the labels that a table gives.
type Evaluation struct {
	Target  string   // column that the labels came from; "" for a label file
	Classes []string // text of each class, as Frame.Label
	// Confusion[a][p] counts the rows whose label is class a and whose
	// prediction is class p. Rows count one each, whatever their weight.
	Confusion [][]int64
}

// NewEvaluation returns an evaluation of no rows.
func NewEvaluation(f *Frame) *Evaluation {
	e := &Evaluation{Target: f.Target, Classes: f.Labels()}
	for range f.Classes {
		e.Confusion = append(e.Confusion, make([]int64, len(f.Classes)))
	}
	return e
}

// Add counts one row.
func (e *Evaluation) Add(actual, predicted int) { e.Confusion[actual][predicted]++ }

// Rows returns how many rows had a label.
func (e *Evaluation) Rows() (n int64) {
	for _, c := range e.Confusion {
		n += sum(c)
	}
	return n
}

// Errors returns how many of those rows were predicted wrongly.
func (e *Evaluation) Errors() int64 {
	n := e.Rows()
	for a, c := range e.Confusion {
		n -= c[a]
	}
	return n
}

// Accuracy returns the share of rows predicted rightly, NaN of no rows.
func (e *Evaluation) Accuracy() float64 { return share(e.Rows()-e.Errors(), e.Rows()) }

// Recall returns the share of the rows of a class that were predicted to be of
// it; NaN if there are none. Of class 1 of two it is the true positive rate.
func (e *Evaluation) Recall(class int) float64 {
	return share(e.Confusion[class][class], sum(e.Confusion[class]))
}

// TPR returns the true positive rate, Recall of class 1.
func (e *Evaluation) TPR() float64 { return e.Recall(1) }

// FPR returns the false positive rate of two classes: the share of the rows of
// class 0 that were predicted to be of class 1; NaN if there are none.
func (e *Evaluation) FPR() float64 { return share(e.Confusion[0][1], sum(e.Confusion[0])) }

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
	c := e.Confusion
	rows, right := e.Rows(), e.Rows()-e.Errors()
	text := fmt.Sprintf("accuracy %s (%s of %s rows right)", rate(right, rows), wording.Thousands(right), wording.Thousands(rows))
	if len(c) == 2 {
		text += fmt.Sprintf(", TPR %s, FPR %s", rate(c[1][1], sum(c[1])), rate(c[0][1], sum(c[0])))
	}
	table := [][]string{{""}}
	for _, label := range e.Classes {
		table[0] = append(table[0], "actual "+wording.Printable(label))
	}
	padRight(table[0])
	for p, label := range e.Classes {
		column := []string{"predicted " + wording.Printable(label)}
		for a := range e.Classes {
			column = append(column, wording.Thousands(c[a][p]))
		}
		padLeft(column)
		table = append(table, column)
	}
	text += "\n"
	for r := range table[0] {
		line := table[0][r]
		for _, column := range table[1:] {
			line += columnGap + column[r]
		}
		text += line + "\n"
	}
	return text
}

func rate(part, whole int64) string {
	if whole == 0 {
		return "undefined"
	}
	return Percent(part, whole)
}
