package predict

import (
	"fmt"
	"strings"

	"parcorels/internal/wording"
	"parcorels/model/evaluate"
)

// Summary is what Stream saw.
type Summary struct {
	Rows int64 // rows of the table
	// rows without prediction for a missing value, where the model has Reading.DropMissing and Options are strict
	Skipped    int64
	Unlabelled int64                // rows predicted whose label is missing
	Alike      int64                // rows in which all decisions cost the same
	Strange    Cells                // labels that the model does not know
	Evaluation *evaluate.Evaluation // nil if the table has no label column, or no label in it
	Groups     []evaluate.Group     // by the values of Options.By, in order
	Costs      *Costs               // nil unless the model is of decisions and the table has their costs
	Odd        int64                // rows with a cell that is counted below
	Unjudged   []Cells              // cells that are missing or not of the kind that their column had
	Unfamiliar []Cells              // cells whose value has no feature, for being rare or absent in training
}

// Cells counts cells of a column that have something in common.
type Cells struct {
	Column  string
	Cells   int64
	Example string // the first of them
	Line    int    // where that stands
}

func (c *Cells) add(cell string, line int) {
	if c.Cells++; c.Cells == 1 {
		// The cell is part of the reader's line, which is large and short-lived.
		c.Example, c.Line = string([]byte(cell)), line
	}
}

// Warnings returns a line for everything that a reader of the predictions
// should know.
func (s *Summary) Warnings() []string {
	var lines []string
	if s.Skipped > 0 {
		lines = append(lines, fmt.Sprintf("%s of %s rows have a missing value where the rules look, and no prediction: the model was "+
			"learned without such rows",
			wording.Thousands(s.Skipped), wording.Thousands(s.Rows)))
	}
	if s.Odd > 0 {
		lines = append(lines, s.odd())
	}
	if s.Unlabelled > 0 {
		lines = append(lines, fmt.Sprintf("%s of %s rows have no label and are not evaluated",
			wording.Thousands(s.Unlabelled), wording.Thousands(s.Rows)))
	}
	if s.Alike > 0 {
		lines = append(lines, fmt.Sprintf("all decisions cost the same in %s of %s rows, which are not evaluated",
			wording.Thousands(s.Alike), wording.Thousands(s.Rows)))
	}
	if n := s.Strange.Cells; n > 0 {
		lines = append(lines, fmt.Sprintf("%s of %s rows have a label that the model does not know and are not evaluated, the first %q "+
			"in line %d",
			wording.Thousands(n), wording.Thousands(s.Rows), s.Strange.Example, s.Strange.Line))
	}
	return lines
}

// odd is the one line on cells that no condition holds on.
func (s *Summary) odd() string {
	var parts []string
	for _, c := range s.Unjudged {
		parts = append(parts, c.text("missing or of another kind"))
	}
	for _, c := range s.Unfamiliar {
		parts = append(parts, c.text("of a value that was rare or absent in training"))
	}
	return fmt.Sprintf("%s of %s rows have cells on which conditions do not hold: %s",
		wording.Thousands(s.Odd), wording.Thousands(s.Rows), strings.Join(parts, "; "))
}

func (c Cells) text(why string) string {
	return fmt.Sprintf("column %q has %s %s (first %q in line %d)", c.Column, wording.Thousands(c.Cells), why, c.Example, c.Line)
}
