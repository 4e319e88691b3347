package family

import (
	"context"
	"parcorels/dataset"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/report"
	"parcorels/rules"
	"parcorels/ruleset"
	setsearch "parcorels/ruleset/search"
	"strings"
	"time"
)

// ruleSets is the record of rule sets.
func ruleSets() *Family {
	return &Family{
		Name: "set", Kind: model.RuleSet, Unit: "rule", Done: "looked at", Price: "lambda", Grid: []string{"16", "4", "1"},
		defaultPrice: DefaultLiteral, dear: "expected a number above 0, as a literal of a rule set has a price",
		digits: dataset.Coarse, negations: true, reduce: reduceSet,
		unproved: "option Proof is not an option of the family set: what is proved of a rule set is in the model",
		fit:      fitSet, decode: decoder(ruleset.Codec.FromFile),
	}
}

// fitSet learns a rule set.
func fitSet(ctx context.Context, p *Problem, s *resolved) (*Model, error) {
	rows, err := p.rowsOfPoints(s.MinRows)
	if err != nil {
		return nil, err
	}
	o := setsearch.Options{
		Literal: s.price, Rules: s.Rules, Literals: s.Literals, MinRows: s.MinRows, RowsOf: rows, Workers: s.Workers, Time: s.Time,
	}
	start := time.Now()
	if s.Progress != nil {
		tell, best := s.throttled(), 0.0
		o.Progress = func(look setsearch.Progress) {
			e := Event{Progress: look.Progress, Family: s.Family, Source: look.Phase, Step: look.Proved, Steps: look.Solved}
			e.Bound = unknown
			if s.Models && look.Value > best {
				best = look.Value
				e.Best = func() (Shown, error) { return textOnly(ruleSetText(p.Set, look.Set)), nil }
			}
			tell(e)
		}
	}
	m, r, err := setsearch.Fit(ctx, p.Set, p.points, o, s.Software, p.reading)
	if err != nil {
		return nil, err
	}
	out := &Model{Model: m, when: make([][]int, len(r.Rules)+1), stats: report.Stats{
		Antecedents: len(p.Set.Antecedents), Points: r.Points, Expanded: r.Nodes,
		SecondsSearch: report.Seconds(time.Since(start)), Workers: r.Workers,
	}}
	for i, rule := range r.Rules {
		out.when[i] = rule.Literals
	}
	return out, nil
}

// ruleSetText returns rules, each of some antecedents, as people read them.
func ruleSetText(set *rules.Set, list []setsearch.Rule) string {
	return linesOf(list, "or   ", func(r setsearch.Rule) string {
		var names []string
		for _, a := range r.Literals {
			names = append(names, wording.Printable(set.Antecedents[a].Name))
		}
		return strings.Join(names, " and ") + " then " + wording.Printable(set.Data.ClassName(1))
	})
}

func reduceSet(p *Problem) error {
	err := reducePoints(p)
	if err == nil {
		p.points = p.points.WithColumns()
	}
	return err
}
