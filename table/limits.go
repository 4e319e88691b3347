package table

import (
	"errors"
	"fmt"
	"math"

	"parcorels/optionerr"
)

// What a file may ask for. Memory grows with what a file really holds, never
// with what it says; but a small compressed file may hold terabytes, and a
// quote that is not closed makes one row of all that follows it. A row is read
// as a whole, so it is bounded; so is what all rows together take, if the
// caller says how much that may be (Options.Memory).
const (
	maxRow  = 16 << 20      // bytes of a row, quoted line ends included
	maxRows = math.MaxInt32 // rows of a table, samples of an .out file
)

// errLongRow ends a text: its row is not read. The reader adds where the row stands.
var errLongRow = errors.New("long row")

// longRow is the error of the row behind the one of a line; 0: the first.
func longRow(after int) error {
	row := "the first row"
	if after > 0 {
		row = fmt.Sprintf("the row after that of line %d", after)
	}
	return fmt.Errorf("%s is longer than %d MiB: is a quote (\") not closed, or is this no table?", row, maxRow>>20)
}

// tooLarge is the error of a table that takes more memory than it may.
func tooLarge(limit int64) error {
	return optionerr.Errorf("Memory", "the table takes more than the %d MiB of memory that it may: leave columns out, or read it on a "+
		"larger machine", limit>>20)
}
