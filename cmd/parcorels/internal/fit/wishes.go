package fit

import (
	"context"
	"fmt"
	"parcorels/cmd/parcorels/internal/process"
	"parcorels/family"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/parallel"
	"parcorels/report"
)

// compareWishes finds the best model without the wishes, and says at the end of the text what
// they cost.
func (f *Run) compareWishes(ctx context.Context) error {
	r, o := f.Reading, f.Options
	r.Ignore, o.First, o.Forbid, o.MinRows, o.Increasing, o.Decreasing = nil, nil, nil, 0, nil, nil
	o.Memory = f.Memory.Search(o.Memory)
	best, err := process.Await(ctx, func() (*family.Model, error) {
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
	for i, m := range []*family.Model{f.Model, best} {
		c := m.Certificate()
		row := []string{"as wished", fmt.Sprintf("%.6f", c.Objective.Value), wording.Thousands(model.Errors(m.Cases())),
			fmt.Sprint(c.Size), proofWord(c)}
		if i == 1 {
			row[0] = "best of all"
		}
		rows = append(rows, row)
	}
	summary := report.Summarize(best)
	f.ending += "\n" + wording.Table(rows, "") + report.Price(report.Summarize(f.Model), summary) + "\n"
	f.compared = &summary
	return nil
}

func proofWord(c model.Certificate) string {
	if c.Status == parallel.Optimal {
		return "optimal"
	}
	return "gap " + wording.Percentage(c.Gap)
}
