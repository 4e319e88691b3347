package cli

import (
	"context"
	"errors"
	"fmt"

	"parcorels/answer"
	"parcorels/family"
	"parcorels/internal/option"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/parallel"
	"parcorels/report"
)

// wishGroup is what a model must be like, and whether the price of that is asked for.
func (s *fitSettings) wishGroup() group {
	g := s.group(family.WishGroup)
	g.options = append(g.options, &option.Option{Name: "compare",
		Help:  "also find the best model without --first, --forbid, --ignore, --min-rows, --increasing and --decreasing, and print what these wishes cost",
		Value: option.Switch(&s.compare)})
	return g
}

// validateWishes finds what is wrong with a comparison.
func (s *fitSettings) validateWishes(path string) error {
	switch {
	case !s.compare:
		return nil
	case len(s.options.First)+len(s.options.Forbid)+len(s.reading.Ignore) == 0 && s.options.RestrictionText() == "":
		return errors.New("--compare: there is no wish; give --first, --forbid, --ignore, --min-rows, --increasing or --decreasing")
	case path == "-":
		return errors.New("--compare reads the table twice: give a file, not -")
	case s.family().Kind != model.RuleList && s.family().Kind != model.Tree:
		return errors.New("--compare is for rule lists and trees, whose objectives are proved")
	case s.holding.share != "":
		return errors.New("--compare and --holdout do not go together")
	}
	return nil
}

// compareWishes finds the best model without the wishes, and says at the end of the text what
// they cost.
func (f *fitRun) compareWishes(ctx context.Context) error {
	r, o := f.reading, f.options
	r.Ignore, o.First, o.Forbid, o.MinRows, o.Increasing, o.Decreasing = nil, nil, nil, 0, nil, nil
	o.Memory = f.memory.Search(o.Memory)
	best, err := await(ctx, func() (*family.Model, error) {
		data, err := family.Read(f.path, r)
		if err != nil {
			return nil, err
		}
		return family.Fit(ctx, data, o)
	})
	if err != nil {
		return fmt.Errorf("%s: without the wishes: %w", wording.Escape(f.path), err)
	}
	rows := [][]string{{"", "objective", "errors", wording.Plural(2, best.Certificate().Part), ""}}
	for i, m := range []*family.Model{f.model, best} {
		c := m.Certificate()
		row := []string{"as wished", fmt.Sprintf("%.6f", c.Objective.Value), wording.Thousands(model.Errors(m.Cases())),
			fmt.Sprint(c.Size), proofWord(c)}
		if i == 1 {
			row[0] = "best of all"
		}
		rows = append(rows, row)
	}
	summary := report.Summarize(best)
	f.ending += "\n" + answer.Columns(rows) + report.Price(report.Summarize(f.model), summary) + "\n"
	f.compared = &summary
	return nil
}

func proofWord(c model.Certificate) string {
	if c.Status == parallel.Optimal {
		return "optimal"
	}
	return "gap " + wording.Percentage(c.Gap)
}
