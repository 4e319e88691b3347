package process

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"parcorels/answer"
	"parcorels/rules"

	"parcorels/dataset"
	"parcorels/internal/wording"
	"parcorels/table"
)

// OpenRows opens a table whose reading a cancelled ctx ends.
func (e *Env) OpenRows(ctx context.Context, o dataset.Options, path string) (*dataset.Rows, error) {
	if path == "-" {
		return dataset.NewRows(NewInterruptible(ctx, e.Stdin), "stdin", o)
	}
	f, err := Await(ctx, func() (*os.File, error) { return table.OpenFile(path) })
	if err != nil {
		return nil, err
	}
	var in io.Reader = f
	if !table.IsParquet(f) {
		in = NewInterruptible(ctx, f)
	}
	rows, err := dataset.NewRows(in, path, o)
	if err != nil {
		_ = f.Close() // it was only read from
	}
	return rows, err
}

// GroupsOf returns a number for each row of a table, and the text of each number: the number is the same for rows
// of the same text in a column, which may be one that --ignore leaves out.
func (e *Env) GroupsOf(ctx context.Context, reading dataset.Options, path, column string, d *dataset.Dataset) (groups []int,
	names []string, err error) {
	switch {
	case path == "-":
		return nil, nil, fmt.Errorf("--groups and --fair read the table twice, which stdin does not allow: give a file")
	case d.Dropped > 0:
		return nil, nil, fmt.Errorf("%s: --groups and --fair do not go with --drop-missing: rows would be counted wrongly", path)
	}
	rows, err := e.OpenRows(ctx, reading, path)
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	at := slices.Index(rows.Header(), column)
	if at < 0 {
		return nil, nil, fmt.Errorf("%s: no column %q, by which to group the rows", path, column)
	}
	number := map[string]int{}
	if err := answer.EachRow(rows, func(cells []string, _ int64) bool {
		id, known := number[cells[at]]
		if !known {
			id = len(number)
			name := strings.Clone(cells[at])
			names, number[name] = append(names, name), id
		}
		groups = append(groups, id)
		return true
	}); err != nil {
		return nil, nil, err
	}
	if len(groups) != d.N {
		return nil, nil, fmt.Errorf("%s: %d rows on second reading, %d on the first: it changes while it is read", path, len(groups), d.N)
	}
	return groups, names, nil
}

// Membership says which samples belong to a group: those with a value in a column, of two
// values the later one in the order of texts, or those that satisfy an antecedent of an .out file.
func (e *Env) Membership(ctx context.Context, reading dataset.Options, path, what string,
	set *rules.Set) (inside []bool, name string, err error) {
	d := set.Data
	inside = make([]bool, d.N)
	if dataset.IsOut(path) {
		for i := range d.Features {
			if f := &d.Features[i]; f.Name == what || f.Name == "{"+what+"}" {
				for k := range inside {
					inside[k] = f.Bits.Test(uint(k))
				}
				return inside, f.Name, nil
			}
		}
		return nil, "", fmt.Errorf("%s: no antecedent %q", path, what)
	}
	column, value, hasValue := strings.Cut(what, "=")
	groups, names, err := e.GroupsOf(ctx, reading, path, column, d)
	if err != nil {
		return nil, "", err
	}
	if !hasValue {
		if len(names) != 2 {
			return nil, "", fmt.Errorf("%s: column %q has %s: say which one is compared with all others, as %s=%s", path,
				column, wording.Count(int64(len(names)), "value"), column, names[0])
		}
		value = max(names[0], names[1])
	}
	at := slices.Index(names, value)
	if at < 0 {
		return nil, "", fmt.Errorf("%s: no row has %q in column %q", path, value, column)
	}
	for i, g := range groups {
		inside[i] = g == at
	}
	return inside, column + " = " + value, nil
}

// Table reads the rows of a table, or of an .out file.
func (e *Env) Table(ctx context.Context, reading dataset.Options, path string) (header []string, rows [][]string, err error) {
	open, err := e.OpenRows(ctx, reading, path)
	if err != nil {
		return nil, nil, err
	}
	defer open.Close()
	header = slices.Clone(open.Header())
	err = answer.EachRow(open, func(cells []string, _ int64) bool {
		row := make([]string, len(cells))
		for i, c := range cells {
			row[i] = strings.Clone(c)
		}
		rows = append(rows, row)
		return true
	})
	return header, rows, err
}
