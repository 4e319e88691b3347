package dataset

import (
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
	maxRow  = 64 << 20      // bytes of a row of a table, quoted line ends included
	maxCut  = 1 << 20       // separators in a row
	maxRows = math.MaxInt32 // rows of a table, samples of an .out file
)

// longRow is the error of the row behind the one of a line; 0: the first.
func longRow(after int) error {
	return fmt.Errorf("%s is longer than %d MiB: is a quote (\") not closed, or is this no table?", rowAfter(after), maxRow>>20)
}

// manyFields is the error of such a row with too many separators.
func manyFields(after int) error {
	return fmt.Errorf("%s has more than %d fields: is a quote (\") not closed, or is this no table?", rowAfter(after), maxCut)
}

func rowAfter(line int) string {
	if line == 0 {
		return "the first row"
	}
	return fmt.Sprintf("the row after that of line %d", line)
}

// tooLarge is the error of a table that takes more memory than it may.
func tooLarge(limit int64) error {
	return optionerr.Errorf("Memory", "the table takes more than the %d MiB of memory that it may: leave columns out, or read it on a larger machine", limit>>20)
}

// memory returns about how many bytes a column takes.
func (c *column) memory() int64 {
	const each = 16 + 8 + 8 + 64 // of a text: its header, its line, its number, its place in the index
	bytes := c.codes.Memory() + c.textBytes + int64(len(c.texts))*each
	if c.floats != nil {
		bytes += c.floats.Memory()
	}
	if c.asked != nil {
		bytes += int64(len(c.asked.Bins) + len(c.asked.cutParts.bins))
	}
	return bytes
}

// checkMemory weighs the columns, as it is done behind each chunk.
func (r *reading) checkMemory() error {
	if r.o.Memory == 0 {
		return nil
	}
	var bytes int64
	for _, c := range r.columns {
		if c != nil {
			bytes += c.memory()
		}
	}
	if r.weights != nil {
		bytes += int64(cap(r.weights.digits)) * 9
	}
	if bytes > r.o.Memory {
		return tooLarge(r.o.Memory)
	}
	return nil
}
