// Package generate makes the example tables of this project. They are the same
// bytes every time, and no one else's data. Begin with [Write] for one of [Names],
// a complete set of objects with a class that a person can check, or with
// [StopFrisk] for a table of any size.
package generate

import (
	"encoding/csv"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"
)

// table is a generator: the names of the columns, and the rows. A row that is
// yielded may be overwritten by the next one.
type table struct {
	header []string
	rows   iter.Seq[[]string]
}

// tables are the generators by name.
var tables = map[string]func() table{
	"compas-like": compasLike,
	"monk1":       func() table { return robots(monk1) },
	"monk2":       func() table { return robots(monk2) },
	"monk3":       func() table { return robots(monk3) },
	"tictactoe":   endBoards,
}

// Names returns the names of all generators in alphabetical order.
func Names() []string { return slices.Sorted(maps.Keys(tables)) }

// Write writes the table of that name as CSV with a header. It returns an
// error for a name that Names does not have, or the first error of w.
func Write(w io.Writer, name string) error {
	generator, ok := tables[name]
	if !ok {
		return fmt.Errorf("no data called %q, expected one of %s", name, strings.Join(Names(), ", "))
	}
	t := generator()
	out := csv.NewWriter(w)
	if err := out.Write(t.header); err != nil {
		return err
	}
	for row := range t.rows {
		if err := out.Write(row); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}
