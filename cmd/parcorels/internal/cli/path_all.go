package cli

import (
	"fmt"

	"parcorels"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/parallel"
	"parcorels/rulelist"
	"parcorels/tree"
)

// limitOf is the most rules or leaves that a model was allowed, 0 for any number.
func limitOf(m *parcorels.Model) int {
	if t, ok := m.Model.(*tree.Model); ok {
		return t.MaxLeaves
	}
	return m.Model.(*rulelist.Model).MaxRules
}

// after returns the models between vertex i and the next one.
func (r *pathRun) after(i int) (list []*parcorels.Model) {
	for _, m := range r.between {
		if k := limitOf(m); k > r.path.Vertices[i].Size && i+1 < len(r.path.Vertices) && k < r.path.Vertices[i+1].Size {
			list = append(list, m)
		}
	}
	return list
}

// betweenRow is a row of the table for a model that is best for no λ. Where a limit left it with more errors than
// the fewest of a smaller model, these say nothing.
func betweenRow(m *parcorels.Model, fewest int64) []string {
	c := m.Certificate()
	row := []string{fmt.Sprint(limitOf(m)), wording.Thousands(model.Errors(m.Cases())), wording.Percentage(right(m)), "none", ""}
	if c.Status != parallel.Optimal {
		row[3] = fmt.Sprintf("not proved: at least %.1f%% wrong", 100*c.Bound.Value)
		if model.Errors(m.Cases()) > fewest {
			row[1], row[2] = "?", "?"
		}
	}
	return row
}
