package cli

import (
	"context"
	"fmt"
	"io"
	"slices"

	"parcorels/dataset"
)

// groupsOf returns a number for each row of a table: the same for rows of the
// same text in a column, which may be one that --ignore leaves out.
func (e *env) groupsOf(ctx context.Context, reading dataset.Options, path, column string, d *dataset.Dataset) ([]int, error) {
	switch {
	case path == "-":
		return nil, fmt.Errorf("--groups reads the table twice, which stdin does not allow: give a file")
	case d.Dropped > 0:
		return nil, fmt.Errorf("%s: --groups does not go with --drop-missing: rows would be counted wrongly", path)
	}
	rows, err := e.openRows(ctx, reading, path)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	at := slices.Index(rows.Header(), column)
	if at < 0 {
		return nil, fmt.Errorf("%s: no column %q, by which to group the rows", path, column)
	}
	number := map[string]int{}
	var groups []int
	for {
		cells, err := rows.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		id, known := number[cells[at]]
		if !known {
			id = len(number)
			number[string([]byte(cells[at]))] = id
		}
		groups = append(groups, id)
	}
	if len(groups) != d.N {
		return nil, fmt.Errorf("%s: %d rows on second reading, %d on the first: it changes while it is read", path, len(groups), d.N)
	}
	return groups, nil
}
