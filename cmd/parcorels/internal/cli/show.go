package cli

import (
	"cmp"
	"context"
	"fmt"
	"parcorels/cmd/internal/console"
	"strings"

	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/ruleset"
)

func showCommand() *command {
	return &command{
		name:    "show",
		summary: "print a model that fit wrote",
		usage:   "MODEL [options]",
		details: []string{"MODEL is a file that fit wrote with -o; - reads it from stdin."},
		min:     1, max: 1,
		groups: func(s *settings) []group {
			return []group{{"Options", []option{
				{name: "as", value: "FORM", among: []string{"text", "dot", "svg"}, def: "text", expect: "text, dot or svg", text: "how: as text, or a tree for Graphviz or as a drawing for web pages", set: oneOf(&s.as, "text", "dot", "svg")},
				{name: "output", short: "o", value: "FILE", unset: "stdout", expect: "a file name", text: "write it there", set: notEmpty(&s.output)},
			}}}
		},
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
			return e.writeText(cmp.Or(s.output, "-"), text)
		},
	}
}

// origin says what a model was learned from, and how good it is there.
func origin(m model.Model) string {
	c, data := m.Certificate(), m.About().Data
	lambda, with := lambdaOf(c), ""
	if c.Lambda != "" {
		with = " with λ = " + c.Lambda
	}
	measure := "objective   "
	switch m.Family() {
	case model.RuleSet:
		measure = "value       "
	case model.BayesianRuleList:
		measure = "posterior   ln "
	}
	lines := []string{
		"model       " + string(m.Family()) + " of " + wording.Count(int64(c.Size), c.Part),
		measure + decimal(c.Objective.Num, c.Objective.Den, lambda, false) + with,
		"status      " + c.Status.String(),
	}
	if data.Mined > 0 {
		lines = append(lines, fmt.Sprintf("            among the %s kept of %s", wording.Count(data.Kept, "antecedent"), wording.Thousands(data.Mined)))
	}
	if set, ok := m.(*ruleset.Model); ok {
		lines = append(lines, "metrics     "+set.Metrics().String())
	}
	if c.Status != parallel.Optimal {
		lines = append(lines, "bound       "+boundOf(c, lambda))
	}
	lines = append(lines,
		fmt.Sprintf("errors      %s of %s samples", wording.Thousands(c.Errors), wording.Thousands(data.Samples)),
		fmt.Sprintf("data        %s, target %s", console.Escape(data.Source), console.Escape(m.About().Target)),
		"            "+data.Hash,
		"learned by  "+console.Escape(c.Software))
	return strings.Join(lines, "\n") + "\n"
}

// boundOf returns the bound of a model and its gap.
func boundOf(c model.Certificate, lambda ratio.Ratio) string {
	gap := percentage(c.Gap)
	if c.GapUnit != "" {
		gap = fmt.Sprintf("%.4g %s", c.Gap, c.GapUnit)
	}
	return decimal(c.Bound.Num, c.Bound.Den, lambda, !c.Maximize) + ", gap " + gap
}
