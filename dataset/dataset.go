package dataset

import (
	"io"
	"path/filepath"
	"strings"

	"github.com/bits-and-blooms/bitset"

	"parcorels/ratio"
	"parcorels/table"
)

// Dataset is N samples with binary features, a binary label and exact weights.
type Dataset struct {
	Source   string // file name as given
	Hash     string // "sha256:…" of the uncompressed bytes, the table and then the label file if any; "" after Options.NoHash
	Format   string // "csv" or "out"
	N        int    // samples
	Features []Feature
	Numbers  []Numbers // columns of numbers that Options.AllCuts left uncut
	Columns  []string  // column names in file order; nil for .out
	NoHeader bool      // the first line of the table is data: Options.NoHeader said so, or its cells did
	Target   string    // name of the label column; for .out what the two label names have in common

	// Classes are the raw label texts of class 0 and class 1, "" for a class
	// that never occurs.
	Classes [2]string
	// OneVsRest reports that class 0 stands for every label but Classes[1];
	// Classes[0] is then "not " and the text of class 1.
	OneVsRest bool
	// Labels are the samples of class 1; nil where there are more than two classes.
	Labels *bitset.BitSet

	// ClassNames are the label texts of more than two classes, and ClassOf the
	// class of each sample: Options.Multiclass asks for them. Both are nil where
	// there are two classes, which Classes and Labels then tell. The methods
	// ClassCount, Class and ClassName serve both cases.
	ClassNames []string
	ClassOf    []uint16

	// Weights are exact positive integers without a common divisor; nil if
	// every sample weighs 1. A sample's weight in the user's terms is
	// Weights[i]/WeightUnit, for printing. The unit is a ratio because balanced
	// classes of 300 and 100 samples weigh 2/3 and 2, and the integers that
	// decide are to be as small as they can: 1 and 3, with unit 3/2.
	Weights    []int64
	WeightUnit ratio.Ratio

	Dropped int      // rows left out because a value is missing
	Notes   []string // lines that a person should read

	Parts []Part // columns made of columns of dates (Options.DateParts)

	dropped *bitset.BitSet // rows of the table that are no samples; nil: none
	kept    *builder       // what it takes to make features again; nil unless Options.KeepColumns was set
}

// FileRows returns the row of the table that each sample is, from 1 and without the header.
func (d *Dataset) FileRows() []int {
	rows := make([]int, 0, d.N)
	for row := 1; len(rows) < d.N; row++ {
		if d.dropped == nil || !d.dropped.Test(uint(row-1)) {
			rows = append(rows, row)
		}
	}
	return rows
}

// Feature is a binary property of samples.
type Feature struct {
	Name   string         // what people read: "head_shape = round", "age in 21–22"; for .out the given name
	Column string         // name of the column; "" for .out
	Group  int            // features of one group exclude one another; -1: of no group, as thresholds are
	Test   Test           // how to evaluate it on a cell of a new table
	Bits   *bitset.BitSet // samples that have it
}

// Read reads a table, or an .out file with its labels, as o says. The path
// decides: .out and .out.gz are the reference format, all others are tables.
// An error is one line that names the file, the line and the value.
func Read(path string, o Options) (*Dataset, error) {
	f, err := table.OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readFrom(f, path, o)
}

// ReadFrom is Read on a stream; name stands for the path. The labels of an
// .out stream are read from the file that o.Labels or name leads to. A stream
// may also be a table of columns, as docs/column-protocol.md describes it.
func ReadFrom(r io.Reader, name string, o Options) (*Dataset, error) {
	return readFrom(struct{ io.Reader }{r}, name, o) // which is not closed
}

func readFrom(in io.Reader, name string, o Options) (*Dataset, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if IsOut(name) {
		return readOut(in, name, o)
	}
	rows, err := table.New(in, name, o.ofTable())
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	return readTable(rows, o)
}

// Rows are the rows of a table, one at a time. An .out
// file is a table too: a column of 0 and 1 per feature, and the label as the
// last column if its label file is there.
type Rows = table.Rows

// OpenRows opens a table for reading row by row, with the same options for the
// same understanding of separator and header as Read. Close it after use.
func OpenRows(path string, o Options) (*Rows, error) {
	f, err := table.OpenFile(path)
	if err != nil {
		return nil, err
	}
	r, err := NewRows(f, path, o)
	if err != nil {
		f.Close()
	}
	return r, err
}

// NewRows is OpenRows on a stream, which Close closes if it can be closed; name stands for
// the path.
func NewRows(in io.Reader, name string, o Options) (r *Rows, err error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if IsOut(name) {
		return outRows(in, name, o)
	}
	o.NoHash = true
	return table.New(in, name, o.ofTable())
}

// ParseNumber reads a decimal number, or an infinity: what counts as a number in a cell.
func ParseNumber(text string) (float64, bool) { return table.ParseNumber(text) }

// HashOf returns the Hash that a data set of this table has.
func HashOf(path string) (string, error) { return table.HashOf(path) }

// IsOut reports whether Read and OpenRows take path for a file in the reference
// format: its name ends in .out or .out.gz, in any case.
func IsOut(path string) bool {
	base := strings.ToLower(filepath.Base(path))
	return strings.HasSuffix(strings.TrimSuffix(base, ".gz"), ".out")
}
