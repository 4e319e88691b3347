package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"parcorels/answer"
	"parcorels/dataset"
	"parcorels/family"
	"parcorels/internal/option"
	"parcorels/internal/wording"
	"parcorels/rules"
)

// questions are what is asked of all good models.
type questions struct {
	columns  bool   // --columns
	without  string // --without-column
	disagree bool   // --disagreement
	group    string // --group
	measure  family.Measure
	test     string // --test
	row      int64  // --row
	rows     string // --rows
}

func (q *questions) options() group {
	return group{"Questions about all good models", []*option.Option{
		{Name: "columns", Help: "for each column: the models that use it, the best without it, and the share of samples that it decides; also the smallest sets of columns that are enough", Value: option.Switch(&q.columns)},
		{Name: "without-column", Holder: "COLUMN", Help: "look only at the models without this column", Value: option.Text(&q.without, "a column name")},
		{Name: "disagreement", Help: "the share of samples that some good model decides otherwise, and the largest share that one model does", Value: option.Switch(&q.disagree)},
		{Name: "group", Holder: "COLUMN", Help: "the best models for ever smaller differences between two groups: a column of two values, COLUMN=VALUE for one against all others, or an antecedent of an .out file", Value: option.Text(&q.group, "a column, or column=value")},
		{Name: "measure", Holder: "RATE", Default: string(family.SelectionRate), Help: "the rate by which groups are compared: predictions of class 1 among all, among those of class 1 (tpr), or among those of class 0 (fpr)", Value: option.Choice(&q.measure, family.Measures...)},
		{Name: "test", Holder: "FILE", Help: "rows of another table: the fewest and the most of them that a good model gets wrong", Value: option.Text(&q.test, "a file name")},
		{Name: "row", Holder: "N", Unset: "none", Help: "the best model that decides otherwise about row N, counted from 1", Value: option.Integer(&q.row, 1, math.MaxInt64)},
		{Name: "rows", Holder: "FILE", Unset: "the table itself", Help: "the table with that row; without --row, all of its rows", Value: option.Text(&q.rows, "a file name")},
	}}
}

// check finds what is wrong with the questions before any work.
func (q *questions) check(given map[string]bool) error {
	if given["measure"] && q.group == "" {
		return errors.New("--measure compares groups: give --group, too")
	}
	return nil
}

// membership says which samples belong to a group: those with a value in a column, of two
// values the later one in the order of texts, or those that satisfy an antecedent of an .out file.
func (e *env) membership(ctx context.Context, reading dataset.Options, path, what string, set *rules.Set) (inside []bool, name string, err error) {
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
	groups, names, err := e.groupsOf(ctx, reading, path, column, d)
	if err != nil {
		return nil, "", err
	}
	if !hasValue {
		if len(names) != 2 {
			return nil, "", fmt.Errorf("%s: column %q has %s: say which one is compared with all others, as %s=%s", path, column, wording.Count(int64(len(names)), "value"), column, names[0])
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

// table reads the rows of a table, or of an .out file.
func (e *env) table(ctx context.Context, reading dataset.Options, path string) (header []string, rows [][]string, err error) {
	if dataset.IsOut(path) {
		d, err := family.Read(path, family.Reading{})
		if err != nil {
			return nil, nil, err
		}
		for _, f := range d.Features {
			header = append(header, f.Name)
		}
		header = append(header, d.Target)
		for i := range d.N {
			cells := make([]string, len(header))
			for k, f := range d.Features {
				cells[k] = map[bool]string{true: "1", false: "0"}[f.Bits.Test(uint(i))]
			}
			cells[len(d.Features)] = d.ClassName(d.Class(i))
			rows = append(rows, cells)
		}
		return header, rows, nil
	}
	open, err := e.openRows(ctx, reading, path)
	if err != nil {
		return nil, nil, err
	}
	defer open.Close()
	header = slices.Clone(open.Header())
	for {
		cells, err := open.Next()
		if err == io.EOF {
			return header, rows, nil
		}
		if err != nil {
			return nil, nil, err
		}
		row := make([]string, len(cells))
		for i, c := range cells {
			row[i] = strings.Clone(c)
		}
		rows = append(rows, row)
	}
}

// answer answers the questions.
func (q *questions) answer(ctx context.Context, e *env, reading dataset.Options, p *family.Problem, path string, to *answer.GoodModels) error {
	if q.columns {
		if err := to.AskColumns(); err != nil {
			return err
		}
	}
	if q.disagree {
		if err := to.AskDisagreement(); err != nil {
			return err
		}
	}
	if q.group != "" {
		inside, name, err := e.membership(ctx, reading, path, q.group, p.Set)
		if err != nil {
			return err
		}
		if err := to.AskGroup(inside, q.group, name, q.measure); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	if q.test != "" {
		header, rows, err := e.table(ctx, reading, q.test)
		if err != nil {
			return err
		}
		if err := to.AskTest(ctx, q.test, header, rows, p.Set.Data.Target); err != nil {
			return err
		}
	}
	if q.row == 0 && q.rows == "" {
		return nil
	}
	path = cmp.Or(q.rows, path)
	header, rows, err := e.table(ctx, reading, path)
	if err != nil {
		return err
	}
	first := int64(1)
	if q.row > 0 {
		if q.row > int64(len(rows)) {
			return fmt.Errorf("%s: no row %d, the table has %s", path, q.row, wording.Count(int64(len(rows)), "row"))
		}
		first, rows = q.row, rows[q.row-1:q.row]
	}
	return to.AskRows(ctx, path, header, rows, first, q.row > 0)
}
