package cli

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"parcorels/answer"
	"parcorels/cmd/parcorels/internal/process"
	"parcorels/dataset"
	"parcorels/family"
	"parcorels/internal/option"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/model/predict"
	"parcorels/report/html"
	runs "parcorels/run"
)

// rowSettings is what the options of commands say that apply a model to rows.
type rowSettings struct {
	process.Output
	reading family.Reading // its separator is the user's, the rest the model's
	model   predict.Options
	row     int64 // of explain
}

// onRows begins a command that does something with rows, with some options, by their names.
func onRows(run func(*rowSettings, context.Context, *process.Env, []string) error, names string) func(*call) (work, []process.Group) {
	return func(*call) (work, []process.Group) {
		s := &rowSettings{}
		group := outputGroup("Options", names, &s.Output, toStdout(&s.ModelFile),
			option.Find(family.OptionTable(&s.reading, &family.Options{}), "sep"), // as of fit
			&option.Option{Name: "laplace", Value: option.Switch(&s.model.Laplace)},
			&option.Option{Name: "strict", Value: option.Switch(&s.model.Strict)},
			&option.Option{Name: "by", Value: option.Text(&s.model.By, "a column name")},
			&option.Option{Name: "weight", Value: option.Text(&s.model.Weight, "a column name")},
			&option.Option{Name: "row", Default: "1", Value: option.Integer(&s.row, 1, math.MaxInt64)})
		return func(ctx context.Context, e *process.Env, args []string) error { return run(s, ctx, e, args) }, []process.Group{group}
	}
}

// checkInputs reports two inputs, such as a model and a table, that are both stdin, or
// outputs that would overwrite inputs.
func checkInputs(args []string, outputs ...string) error {
	if len(args) > 1 && args[0] == "-" && args[1] == "-" {
		return errors.New("stdin cannot be both the model and the table")
	}
	return runs.CheckOutputs(outputs, args)
}

func (s *rowSettings) predict(ctx context.Context, e *process.Env, args []string) error {
	p, rows, err := bind(ctx, e, s, args, s.ModelFile)
	if err != nil {
		return err
	}
	defer rows.Close()
	var summary *predict.Summary
	out := cmp.Or(s.ModelFile, "-")
	err = e.WriteFile(out, func(w io.Writer) (err error) {
		table := csv.NewWriter(w)
		table.Comma = rows.Comma()
		summary, err = p.Stream(args[1], rows, table)
		return err
	})
	if err != nil || s.Quiet {
		return err
	}
	return printSummary(e, summary, out)
}

// bind loads the model args[0] and finds its columns in the table args[1], which
// the caller closes. The outputs are checked before.
func bind(ctx context.Context, e *process.Env, s *rowSettings, args []string, outputs ...string) (*predict.Predictor, *dataset.Rows,
	error) {
	if err := checkInputs(args, outputs...); err != nil {
		return nil, nil, err
	}
	m, err := e.Load(ctx, args[0])
	if err != nil {
		return nil, nil, err
	}
	rows, err := openRowsFor(ctx, e, m, s, args[1])
	if err != nil {
		return nil, nil, err
	}
	p, err := predict.Bind(m, rows.Header(), s.model)
	if err != nil {
		_ = rows.Close() // it was only read from
		return nil, nil, fmt.Errorf("%s: %w", args[1], err)
	}
	return p, rows, nil
}

// openRowsFor opens a table for a model, which knows whether there is a header.
func openRowsFor(ctx context.Context, e *process.Env, m model.Model, s *rowSettings, path string) (*dataset.Rows, error) {
	s.reading.NoHeader, s.reading.DecimalComma = m.About().Reading.NoHeader, m.About().Reading.DecimalComma
	s.reading.Header = !s.reading.NoHeader
	return e.OpenRows(ctx, s.reading, path)
}

// report prints what there is to say of the predictions, to stderr if the
// table went to stdout.
func printSummary(e *process.Env, summary *predict.Summary, out string) error {
	var b strings.Builder
	if out != "-" {
		fmt.Fprintf(&b, "%s: %s\n", wording.Escape(out), wording.Count(summary.Rows, "row"))
	}
	b.WriteString(answer.Notes(e.FlaggedAll(summary.Warnings())))
	if out != "-" {
		return e.Print(b.String())
	}
	_, _ = io.WriteString(e.Stderr, b.String()) // what matters went to stdout
	return nil
}

func (s *rowSettings) evaluate(ctx context.Context, e *process.Env, args []string) error {
	p, rows, err := bind(ctx, e, s, args, s.JSON)
	if err != nil {
		return err
	}
	defer rows.Close()
	m := p.Model()
	summary, err := p.Stream(args[1], rows, nil)
	if err != nil {
		return err
	}
	if summary.Evaluation == nil {
		return answer.NoLabels(args[1], m, summary)
	}
	r := answer.NewEvaluated(m, summary, args[1], s.model.By)
	if s.JSON != "" {
		if err := e.WriteJSON(s.JSON, r); err != nil || s.JSON == "-" {
			return err
		}
	}
	r.Notes = e.FlaggedAll(r.Notes)
	return e.Print(r.Text(args[1]))
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
	return e.Print(fmt.Sprintf("%s, row %d (line %d)\n\n", wording.Escape(args[1]), want, rows.Line()) + text)
}

func (s *rowSettings) writeReport(ctx context.Context, e *process.Env, args []string) error {
	if err := checkInputs(args, s.ModelFile); err != nil {
		return err
	}
	if len(args) < 2 && s.model.By+s.model.Weight != "" {
		return errors.New("--by and --weight name columns of a table: name the table behind the model")
	}
	m, err := e.Load(ctx, args[0])
	if err != nil {
		return err
	}
	page := html.New(m)
	page.Made, page.Warning = time.Now().Format(time.DateOnly), answer.OfTraining(m.About())
	if len(args) > 1 {
		rows, err := openRowsFor(ctx, e, m, s, args[1])
		if err != nil {
			return err
		}
		defer rows.Close()
		summary, err := page.Judge(args[1], rows, s.model, answer.LearnedFrom(m, args[1]))
		if errors.Is(err, html.ErrNoLabels) {
			return answer.NoLabels(args[1], m, summary)
		} else if err != nil {
			return err
		}
	}
	return e.WriteFile(cmp.Or(s.ModelFile, "-"), page.Write)
}
