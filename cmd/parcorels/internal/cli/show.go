package cli

import (
	"context"
	"fmt"
	"strings"

	"parcorels/internal/wording"
	"parcorels/parallel"
	"parcorels/rulelist"
)

func showCommand() *command {
	return &command{
		name:    "show",
		summary: "print a model that fit wrote",
		usage:   "MODEL",
		details: []string{"MODEL is a file that fit wrote with -o; - reads it from stdin."},
		min:     1, max: 1,
		complete: each(endingIn("json")),
		run: func(ctx context.Context, e *env, _ *settings, args []string) error {
			m, err := e.load(ctx, args[0])
			if err != nil {
				return err
			}
			return e.print(m.Text(helpWidth) + "\n" + origin(m))
		},
	}
}

// load reads a model, from stdin if path is "-".
func (e *env) load(ctx context.Context, path string) (*rulelist.Model, error) {
	return await(ctx, func() (*rulelist.Model, error) {
		if path == "-" {
			return rulelist.Decode(e.stdin, "stdin")
		}
		return rulelist.Load(path)
	})
}

// origin says what a model was learned from, and how good it is there.
func origin(m *rulelist.Model) string {
	lines := []string{
		fmt.Sprintf("objective   %s with λ = %s", decimal(m.Objective.Num, m.Objective.Den, m.Lambda, false), m.Lambda),
		"status      " + m.Status.String(),
	}
	if m.Status != parallel.Optimal {
		lines = append(lines, fmt.Sprintf("bound       %s, gap %s",
			decimal(m.LowerBound.Num, m.LowerBound.Den, m.Lambda, true), percentage(m.Gap)))
	}
	lines = append(lines,
		fmt.Sprintf("errors      %s of %s samples", wording.Thousands(m.Errors()), wording.Thousands(m.Data.Samples)),
		fmt.Sprintf("data        %s, target %s", onTerminal(m.Data.Source), onTerminal(m.Target)),
		"            "+m.Data.Hash,
		"learned by  "+onTerminal(m.Software))
	return strings.Join(lines, "\n") + "\n"
}
