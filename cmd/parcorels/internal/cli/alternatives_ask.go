package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"parcorels/answer"
	"parcorels/cmd/parcorels/internal/process"
	"parcorels/dataset"
	"parcorels/family"
	"parcorels/internal/option"
	"parcorels/internal/wording"
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

func (q *questions) options() process.Group {
	return process.Group{Title: "Questions about all good models", Options: []*option.Option{
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

// answer answers the questions.
func (q *questions) answer(ctx context.Context, e *process.Env, reading dataset.Options, p *family.Problem, path string, to *answer.GoodModels) error {
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
		inside, name, err := e.Membership(ctx, reading, path, q.group, p.Set)
		if err != nil {
			return err
		}
		if err := to.AskGroup(inside, q.group, name, q.measure); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	if q.test != "" {
		header, rows, err := e.Table(ctx, reading, q.test)
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
	header, rows, err := e.Table(ctx, reading, path)
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
