package cli

import (
	"context"
	"fmt"
	"math"

	"parcorels/answer"
	"parcorels/ask/goodmodels"
	"parcorels/cmd/parcorels/internal/process"
	"parcorels/internal/option"
	"parcorels/internal/wording"
	"parcorels/model"
)

func explainCommand() *command {
	return &command{
		name: "explain", min: 2, max: 2,
		begin: func(c *call) (func(context.Context, *process.Env, []string) error, []process.Group) {
			s := newRowSettings(c)
			row := &option.Option{Name: "row", Default: "1", Value: option.Integer(&s.row, 1, math.MaxInt64)}
			others := &option.Option{Name: "alternatives", Value: option.File(&s.table)}
			return s.explain, []process.Group{{Title: "Options", Options: []*option.Option{row, others, s.separator(), s.laplace(),
				s.strict()}}}
		},
	}
}

// explain prints why a row is predicted as it is.
func (s *rowSettings) explain(ctx context.Context, e *process.Env, args []string) error {
	p, rows, err := bind(ctx, e, s, args)
	if err != nil {
		return err
	}
	defer rows.Close()
	var row []string
	last, want := int64(0), max(s.row, 1)
	if err := answer.EachRow(rows, func(cells []string, n int64) bool {
		row, last = cells, n
		return n < want
	}); err != nil {
		return err
	}
	if last < want {
		return fmt.Errorf("%s: no row %d, the table has %s", args[1], want, wording.Count(last, "row"))
	}
	text, err := answer.Explanation(p, row)
	if err != nil {
		return fmt.Errorf("%s:%d: %w", args[1], rows.Line(), err)
	}
	if s.table != "" {
		others, err := otherwise(ctx, e, p.Model(), s.table, rows.Header(), row)
		if err != nil {
			return err
		}
		text += others
	}
	return e.Print(fmt.Sprintf("%s, row %d (line %d)\n\n", wording.Escape(args[1]), want, rows.Line()) + text)
}

// otherwise finds all good models of the table that a model was learned from, and says how much
// worse the best of them is that decides a row otherwise than the optimum.
func otherwise(ctx context.Context, e *process.Env, m model.Model, table string, header, cells []string) (string, error) {
	l, given := process.NewLearning(), map[string]bool{}
	for _, o := range m.About().Options {
		row := option.Find(l.Table, o.Name)
		if row == nil {
			return "", fmt.Errorf("the model was learned with an option %q, which is not known here", o.Name)
		}
		if err := row.Set(o.Value); err != nil {
			return "", fmt.Errorf("the model was learned with option %s = %q: expected %s", o.Name, o.Value, row.Expect)
		}
		given[o.Name] = true
	}
	if len(given) == 0 || m.Family() != model.RuleList && m.Family() != model.Tree {
		return "", fmt.Errorf("--alternatives is for rule lists and trees that fit learned, which say by which options; this is a %s "+
			"without", m.Family())
	}
	l.Reading = l.Family().Reading(l.Reading)
	d, err := e.Read(ctx, l, given, table, process.Reader{})
	if err != nil {
		return "", err
	}
	if d.Hash != m.About().Data.Hash {
		return "", fmt.Errorf("%s: this is not the table that the model was learned from, %s", table, m.About().Data.Source)
	}
	l.Options.Memory = e.Memory.Search(l.Options.Memory)
	p, err := e.ProblemOf(ctx, l, d, table, true)
	if err != nil {
		return "", err
	}
	o := goodmodels.Options{Options: l.Options}
	a, err := process.Await(ctx, func() (*goodmodels.Answer, error) { return goodmodels.Ask(ctx, p, o) })
	if err != nil {
		return "", fmt.Errorf("%s: %w", table, err)
	}
	f, err := a.Further(ctx, header, [][]string{cells})
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("\nOf all models of %s that are less than one rule or leaf worse than the optimum:\n%s", wording.Escape(table),
		answer.Otherwise(a, f)), nil
}
