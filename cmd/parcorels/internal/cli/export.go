package cli

import (
	"cmp"
	"context"
	"io"
	"strings"

	"parcorels/report/export"
)

func exportCommand() *command {
	languages := export.Languages()
	return &command{
		name:    "export",
		summary: "write a model as SQL, or as a function in another language",
		usage:   "MODEL --to LANGUAGE [options]",
		details: []string{
			"MODEL is a file that fit wrote with -o; - reads it from stdin. The code predicts what predict does, row for row, with the probability of each class, and needs nothing else: sql has expressions for a SELECT, python, c and javascript have a function, json has the rules for a program of your own.",
			"In SQL and C a missing value is NULL, or NAN for a number in C; Python and JavaScript take cells as texts too, and read them as predict does.",
		},
		min: 1, max: 1,
		groups: func(s *settings) []group {
			return []group{{"Options", []option{
				{name: "to", value: "LANGUAGE", among: languages, def: "json", expect: "one of " + strings.Join(languages, ", "), text: "language", set: oneOf(&s.as, languages...)},
				{name: "output", short: "o", value: "FILE", unset: "stdout", expect: "a file name", text: "write it there", set: notEmpty(&s.output)},
			}}}
		},
		complete: each(endingIn("json")),
		run: func(ctx context.Context, e *env, s *settings, args []string) error {
			m, err := e.load(ctx, args[0])
			if err != nil {
				return err
			}
			output := cmp.Or(s.output, "-")
			if err := checkOutputs([]string{output}, args); err != nil {
				return err
			}
			return e.writeFile(output, func(w io.Writer) error { return export.Write(w, m, s.as) })
		},
	}
}
