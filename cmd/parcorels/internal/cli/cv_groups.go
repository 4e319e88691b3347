package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"parcorels/dataset"
	"parcorels/internal/order"
	"parcorels/model/evaluate"
)

// groupsOf returns a number for each row of a table, and the text of each number: the
// number is the same for rows of the same text in a column, which may be one that --ignore leaves out.
func (e *env) groupsOf(ctx context.Context, reading dataset.Options, path, column string, d *dataset.Dataset) (groups []int, names []string, err error) {
	switch {
	case path == "-":
		return nil, nil, fmt.Errorf("--groups and --by read the table twice, which stdin does not allow: give a file")
	case d.Dropped > 0:
		return nil, nil, fmt.Errorf("%s: --groups and --by do not go with --drop-missing: rows would be counted wrongly", path)
	}
	rows, err := e.openRows(ctx, reading, path)
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	at := slices.Index(rows.Header(), column)
	if at < 0 {
		return nil, nil, fmt.Errorf("%s: no column %q, by which to group the rows", path, column)
	}
	number := map[string]int{}
	for {
		cells, err := rows.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, nil, err
		}
		id, known := number[cells[at]]
		if !known {
			id = len(number)
			name := string([]byte(cells[at]))
			names, number[name] = append(names, name), id
		}
		groups = append(groups, id)
	}
	if len(groups) != d.N {
		return nil, nil, fmt.Errorf("%s: %d rows on second reading, %d on the first: it changes while it is read", path, len(groups), d.N)
	}
	return groups, names, nil
}

// mostGroups is how many groups cv tells apart, as evaluate does.
const mostGroups = 100

// byColumn finds the groups that --by asks for.
func (v *validated) byColumn(ctx context.Context, e *env, s *cvSettings) (err error) {
	if s.by == "" {
		return nil
	}
	if s.cv.By, v.groups, err = e.groupsOf(ctx, s.reading, v.path, s.by, v.data.Dataset); err != nil {
		return err
	}
	if len(v.groups) > mostGroups {
		return fmt.Errorf("%s: column %q has more than %d different values: choose a column of groups", v.path, s.by, mostGroups)
	}
	v.by = s.by
	return nil
}

// measuresBy returns the measures of each group on the folds left out, by its text.
func (v *validated) measuresBy(l int) (list []evaluate.GroupMeasures) {
	for g, name := range v.groups {
		if e := v.report.Group(l, g); e.Rows() > 0 {
			list = append(list, evaluate.Group{Value: name, Evaluation: e}.Measures())
		}
	}
	order.Sort(list, func(a, b evaluate.GroupMeasures) int { return strings.Compare(a.Group, b.Group) })
	return list
}

// groupsText has a table of groups for the λ picked, or for each.
func (v *validated) groupsText() (text string) {
	for l, s := range v.summaries {
		if v.by == "" || s.Done == 0 || v.picked >= 0 && l != v.picked {
			continue
		}
		groups := v.measuresBy(l)
		text += fmt.Sprintf("\nλ = %s, rows of the folds left out\n", s.Lambda) + evaluate.GroupText(v.by, groups, evaluate.Differences(groups))
	}
	return text
}
