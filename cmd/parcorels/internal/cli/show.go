package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/parallel"
)

func showCommand() *command {
	return &command{
		name:    "show",
		summary: "print a model that fit wrote",
		usage:   "MODEL [options]",
		details: []string{"MODEL is a file that fit wrote with -o; - reads it from stdin."},
		min:     1, max: 1,
		groups: []group{{"Options", []option{
			{name: "as", value: "FORM", among: []string{"text", "dot", "svg"}, def: "text", expect: "text, dot or svg", text: "how: as text, or a tree for Graphviz or as a drawing for web pages",
				set: func(s *settings, t string) (err error) { s.as, err = oneOf(t, "text", "dot", "svg"); return err }},
			{name: "output", short: "o", value: "FILE", unset: "stdout", expect: "a file name", text: "write it there",
				set: func(s *settings, t string) error { s.output = t; return notEmpty(t) }},
		}}},
		complete: each(endingIn("json")),
		run: func(ctx context.Context, e *env, s *settings, args []string) error {
			m, err := e.load(ctx, args[0])
			if err != nil {
				return err
			}
			text, err := showAs(m, s.as)
			if err != nil {
				return err
			}
			if s.output != "" {
				return e.writeFile(s.output, func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
			}
			return e.print(text)
		},
	}
}

// origin says what a model was learned from, and how good it is there.
func origin(m model.Model) string {
	c, f := m.Certificate(), m.About()
	lines := []string{
		fmt.Sprintf("objective   %s with λ = %s", decimal(c.Objective.Num, c.Objective.Den, lambdaOf(c), false), c.Lambda),
		"status      " + c.Status.String(),
	}
	if c.Status != parallel.Optimal {
		lines = append(lines, fmt.Sprintf("bound       %s, gap %s",
			decimal(c.Bound.Num, c.Bound.Den, lambdaOf(c), true), percentage(c.Gap)))
	}
	lines = append(lines,
		fmt.Sprintf("errors      %s of %s samples", wording.Thousands(c.Errors), wording.Thousands(f.Data.Samples)),
		fmt.Sprintf("data        %s, target %s", onTerminal(f.Data.Source), onTerminal(f.Target)),
		"            "+f.Data.Hash,
		"learned by  "+onTerminal(c.Software))
	return strings.Join(lines, "\n") + "\n"
}
