package model

import (
	"fmt"

	"parcorels/internal/wording"
)

// Summary is what Stream saw.
type Summary struct {
	Rows       int64       // rows of the table
	Fired      []int64     // rows that each of Model.Cases decided
	Skipped    int64       // rows without prediction for a missing value, where the model has Reading.DropMissing and Options are strict
	Unlabelled int64       // rows predicted whose label is missing
	Evaluation *Evaluation // nil if the table has no label column, or no label in it
	Unfamiliar []Unfamiliar
}

// Unfamiliar counts the cells of a column whose value has no feature, for
// being rare or absent in the data that the model was learned from.
type Unfamiliar struct {
	Column  string
	Cells   int64
	Example string // the first of them
	Line    int    // where that stands
}

// Warnings returns a line for everything that a reader of the predictions
// should know.
func (s *Summary) Warnings() []string {
	var lines []string
	if s.Skipped > 0 {
		lines = append(lines, fmt.Sprintf("%s of %s rows have a missing value where the rules look, and no prediction: the model was learned without such rows",
			wording.Thousands(s.Skipped), wording.Thousands(s.Rows)))
	}
	if s.Unlabelled > 0 {
		lines = append(lines, fmt.Sprintf("%s of %s rows have no label and are not evaluated",
			wording.Thousands(s.Unlabelled), wording.Thousands(s.Rows)))
	}
	for _, u := range s.Unfamiliar {
		lines = append(lines, fmt.Sprintf("column %q has %s with a value that was rare or absent in training and equals none that a rule asks for, the first %q in line %d",
			u.Column, wording.Count(u.Cells, "cell"), u.Example, u.Line))
	}
	return lines
}
