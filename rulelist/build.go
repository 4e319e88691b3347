package rulelist

import (
	"fmt"

	"parcorels/model"
	"parcorels/rules"
)

// Rule is a rule as a search returns it: an antecedent, by its index in the
// set, and the class that is predicted for what it captures.
type Rule struct {
	Antecedent int
	Class      int
}

// New makes the model of a rule list on the data that set was made from: list
// in order, then the default, which predicts class def. It counts from
// the captured sets and the labels themselves what each line captures.
//
// It returns an error when an antecedent is not in the set, or when the counts
// contradict meta: in particular when they do not give its objective.
func New(set *rules.Set, list []Rule, def int, meta model.Meta) (*Model, error) {
	m := &Model{MaxRules: meta.Most, Rules: []Line{}}
	m.Origin, m.Optimum, m.Frame = meta.Begin(set)
	c := model.NewCounter(set.Data)
	for i, r := range list {
		if r.Antecedent < 0 || r.Antecedent >= len(set.Antecedents) {
			return nil, fmt.Errorf("rule %d has antecedent %d, the set has %d", i+1, r.Antecedent, len(set.Antecedents))
		}
		a := set.Antecedents[r.Antecedent]
		m.Rules = append(m.Rules, Line{a.Name, m.Literals(set.Data, a.Literals), r.Class, c.Take(a.Captured())})
	}
	m.Default = Line{Class: def, Counts: c.Take(nil)}
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("the rule list does not fit the data: %w", err)
	}
	return m, nil
}
