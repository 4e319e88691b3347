package family

import (
	"bytes"
	"context"
	"encoding/csv"
	"io"

	"parcorels/dataset"
	"parcorels/optionerr"
)

// Reading says how a table is read: its target column, the label of class 1,
// columns to ignore, how numbers are cut, and more. Its zero value takes the
// labels from the last column.
type Reading = dataset.Options

// Data is a table that was read, with how it was read.
type Data struct {
	*dataset.Dataset
	reading Reading
}

// Read reads a table (CSV and its relatives, plain or gzip-compressed), or a file
// in the format of CORELS (.out).
func Read(path string, o Reading) (*Data, error) { return ReadUntil(context.Background(), path, o) }

// ReadUntil is Read until ctx is done, whose error it then returns.
func ReadUntil(ctx context.Context, path string, o Reading) (*Data, error) {
	d, err := dataset.ReadUntil(ctx, path, o)
	if err != nil {
		return nil, err
	}
	return &Data{d, o}, nil
}

// ReadFrom is Read on a stream; name stands for the path.
func ReadFrom(r io.Reader, name string, o Reading) (*Data, error) {
	d, err := dataset.ReadFrom(r, name, o)
	if err != nil {
		return nil, err
	}
	return &Data{d, o}, nil
}

// Table reads rows that are in memory, as texts under the names of columns. An
// empty text is a missing value.
func Table(header []string, rows [][]string, o Reading) (*Data, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	_ = w.Write(header) // a buffer takes all
	for i, row := range rows {
		if len(row) != len(header) {
			return nil, optionerr.Errorf("Rows", "row %d has %d cells, the header has %d", i, len(row), len(header))
		}
		_ = w.Write(row)
	}
	w.Flush()
	o.Comma, o.Header, o.NoHeader = ',', true, false
	return ReadFrom(&b, "table", o)
}
