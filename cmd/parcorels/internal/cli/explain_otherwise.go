package cli

import (
	"context"
	"fmt"

	"parcorels"
	"parcorels/cmd/internal/console"
	"parcorels/internal/option"
	"parcorels/model"
)

// otherwise finds all good models of the table that a model was learned from, and says how much
// worse the best of them is that decides a row otherwise than the optimum.
func (e *env) otherwise(ctx context.Context, m model.Model, table string, header, cells []string) (string, error) {
	l, given := newLearning(), map[string]bool{}
	for _, o := range m.About().Options {
		row := option.Find(l.table, o.Name)
		if row == nil {
			return "", fmt.Errorf("the model was learned with an option %q, which is not known here", o.Name)
		}
		if err := row.Set(o.Value); err != nil {
			return "", fmt.Errorf("the model was learned with option %s = %q: expected %s", o.Name, o.Value, row.Expect)
		}
		given[o.Name] = true
	}
	if len(given) == 0 || m.Family() != model.RuleList && m.Family() != model.Tree {
		return "", fmt.Errorf("--alternatives is for rule lists and trees that fit learned, which say by which options; this is a %s without", m.Family())
	}
	l.reading = l.family().Reading(l.reading)
	d, err := e.read(ctx, l, given, table, reader{})
	if err != nil {
		return "", err
	}
	if d.Hash != m.About().Data.Hash {
		return "", fmt.Errorf("%s: this is not the table that the model was learned from, %s", table, m.About().Data.Source)
	}
	l.options.Memory = e.memory.Search(l.options.Memory)
	p, err := e.problemOf(ctx, l, d, table, true)
	if err != nil {
		return "", err
	}
	ask := &asking{problem: p}
	o := parcorels.AlternativesOptions{Options: l.options}
	if ask.a, err = await(ctx, func() (goodModels, error) {
		if l.family().Kind == model.Tree {
			return p.AlternativeTrees(ctx, o)
		}
		return p.Alternatives(ctx, o)
	}); err != nil {
		return "", fmt.Errorf("%s: %w", table, err)
	}
	f, err := ask.a.Further(ctx, header, [][]string{cells})
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("\nOf all models of %s that are less than one rule or leaf worse than the optimum:\n%s", console.Escape(table), ask.otherwiseText(ask.otherwise(f, 0, 1))), nil
}
