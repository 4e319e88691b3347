package cli

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"parcorels/cmd/internal/console"
	"strings"

	"parcorels/dataset"
	"parcorels/internal/wording"
	"parcorels/model"
)

func predictCommand() *command {
	return &command{
		name:    "predict",
		summary: "apply a model to a table",
		usage:   "MODEL FILE [options]",
		details: []string{
			"MODEL is a file that fit wrote with -o. FILE is a table with the columns that the rules ask for, in any order and among others; - reads it from stdin. Every row is written with more columns: prediction, prediction_rule (the rule or leaf that decided), prediction_probability (of that prediction) and P(class 1); of more than two classes one P(…) for each. A probability is the share of the class among the training samples that the rule decided, one each, whatever they weigh. Cells are written as they are, also what a spreadsheet would take for a formula.",
			"No row stops the prediction: on a value that is missing, where none was in training, or of another kind than its column, no condition holds, negated or not; a value that was rare or absent in training equals none that a rule asks for. A note at the end counts such cells.",
			"Where FILE has the target column, accuracy, true and false positive rates and a table of confusion are printed too: to stdout with -o, else to stderr.",
		},
		min: 2, max: 2,
		groups:   func(s *settings) []group { return []group{predictGroup(s)} },
		complete: modelThen,
		run:      predict,
	}
}

func predictGroup(s *settings) group {
	return group{"Options", []option{
		{name: "output", short: "o", value: "FILE", unset: "stdout", expect: "a file name", text: "write the table there", set: notEmpty(&s.output)},
		tableGroup(s).only(map[string]string{"sep": ""}).options[0],
		{name: "laplace", text: "smooth probabilities: (n + 1) / (N + number of classes)", set: on(&s.predict.Laplace)},
		{name: "strict", text: "stop at the first cell or label that the model cannot judge", set: on(&s.predict.Strict)},
		{name: "explain", text: "add a column: of each rule before the one that decided, the first condition that failed", set: on(&s.predict.Explain)},
		{name: "quiet", text: "print no evaluation and no notes", set: on(&s.quiet)},
	}}
}

// checkInputs reports two inputs, such as a model and a table, that are both stdin, or
// outputs that would overwrite inputs.
func checkInputs(args []string, outputs ...string) error {
	if args[0] == "-" && args[1] == "-" {
		return errors.New("stdin cannot be both the model and the table")
	}
	return checkOutputs(outputs, args)
}

func predict(ctx context.Context, e *env, s *settings, args []string) error {
	if err := checkInputs(args, s.output); err != nil {
		return err
	}
	p, rows, err := e.bind(ctx, s, args)
	if err != nil {
		return err
	}
	defer rows.Close()
	var summary *model.Summary
	out := cmp.Or(s.output, "-")
	err = e.writeFile(out, func(w io.Writer) (err error) {
		table := csv.NewWriter(w)
		table.Comma = rows.Comma()
		summary, err = p.Stream(args[1], rows, table)
		return err
	})
	if err != nil || s.quiet {
		return err
	}
	return e.report(summary, out)
}

// bind loads the model args[0] and finds its columns in the table args[1], which
// the caller closes.
func (e *env) bind(ctx context.Context, s *settings, args []string) (*model.Predictor, *dataset.Rows, error) {
	m, err := e.load(ctx, args[0])
	if err != nil {
		return nil, nil, err
	}
	return e.bindTo(ctx, s, m, args[1])
}

// bindTo is bind for a model that is loaded.
func (e *env) bindTo(ctx context.Context, s *settings, m model.Model, path string) (*model.Predictor, *dataset.Rows, error) {
	s.data.NoHeader = m.About().Reading.NoHeader
	rows, err := e.openRows(ctx, s, path)
	if err != nil {
		return nil, nil, err
	}
	p, err := model.Bind(m, rows.Header(), s.predict)
	if err != nil {
		_ = rows.Close() // it was only read from
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, rows, nil
}

// openRows opens a table whose reading a cancelled ctx ends.
func (e *env) openRows(ctx context.Context, s *settings, path string) (*dataset.Rows, error) {
	if path == "-" {
		return dataset.NewRows(newInterruptible(ctx, e.stdin), "stdin", s.data)
	}
	f, err := open(ctx, path)
	if err != nil {
		return nil, err
	}
	rows, err := dataset.NewRows(newInterruptible(ctx, f), path, s.data)
	if err != nil {
		_ = f.Close() // it was only read from
	}
	return rows, err
}

// report prints what there is to say of the predictions, to stderr if the
// table went to stdout.
func (e *env) report(summary *model.Summary, out string) error {
	var b strings.Builder
	if out != "-" {
		fmt.Fprintf(&b, "%s: %s\n", console.Escape(out), wording.Count(summary.Rows, "row"))
	}
	b.WriteString(notes(summary.Warnings()))
	if summary.Evaluation != nil {
		b.WriteString(summary.Evaluation.String())
	}
	if out != "-" {
		return e.print(b.String())
	}
	_, _ = io.WriteString(e.stderr, b.String()) // what matters went to stdout
	return nil
}
