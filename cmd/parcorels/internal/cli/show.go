package cli

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"parcorels/cmd/internal/console"
	"parcorels/internal/option"
	"parcorels/tree"

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
		complete: each(endingIn("json")),
		begin: func(*call) (func(context.Context, *env, []string) error, []group) {
			var form, output string
			show := func(ctx context.Context, e *env, args []string) error {
				m, err := e.load(ctx, args[0])
				if err != nil {
					return err
				}
				text, err := showAs(m, form)
				if err != nil {
					return err
				}
				return e.writeText(cmp.Or(output, "-"), text)
			}
			return show, []group{{"Options", []*option.Option{
				{Name: "as", Holder: "FORM", Default: "text", Help: "print text, or draw a tree for web pages (svg)", Value: option.Choice(&form, "text", "svg")},
				toStdout(&output, "write it there"),
			}}}
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
		lines = append(lines, fmt.Sprintf("            among the %s kept of %s", wording.Count(data.Kept, "condition"), wording.Thousands(data.Mined)))
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
	gap := wording.Percentage(c.Gap)
	if c.GapUnit != "" {
		gap = fmt.Sprintf("%.4g %s", c.Gap, c.GapUnit)
	}
	return decimal(c.Bound.Num, c.Bound.Den, lambda, !c.Maximize) + ", gap " + gap
}

// showAs returns a tree in the form that --as names.
func showAs(m model.Model, form string) (string, error) {
	t, ok := m.(*tree.Model)
	switch {
	case form == "text" || form == "":
		return m.Text(helpWidth) + "\n" + origin(m), nil
	case !ok:
		return "", fmt.Errorf("--as %s draws trees, and this model is a %s", form, m.Family())
	}
	return t.SVG(), nil
}
