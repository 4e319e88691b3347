package family

import (
	"fmt"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/ratio"
	"parcorels/rules"
)

// Sooner is the family's Sooner, of a search of this problem.
func (p *Problem) Sooner(o Options) []string {
	return Of(p.kind).Sooner(p.withDefaults(o), p.Set)
}

// largerPrice advises twice the λ, where that is one.
func largerPrice(o Options, kind model.Family) []string {
	s, err := o.resolve(Reading{})
	if err != nil {
		return nil // the search was refused
	}
	twice := ratio.New(2*s.price.Num, s.price.Den)
	switch {
	case s.family.Shares && !twice.Within(): // also of 0
		return nil
	case kind == model.RuleSet && s.price.Within(): // a literal costs less than one sample
		twice = ratio.New(1, 1)
	}
	return []string{fmt.Sprintf("a larger option Lambda (%s instead of %s)", twice, s.price)}
}

// fewerConditions advises fewer conjunctions, or single features, where there are
// conjunctions.
func fewerConditions(set *rules.Set) []string {
	single := 0
	for _, a := range set.Antecedents {
		if len(a.Literals) == 1 {
			single++
		}
	}
	n := len(set.Antecedents)
	if single == n {
		return nil
	}
	var ways []string
	return append(ways, fmt.Sprintf("option MaxCard 1 (%s instead of %s)", wording.Thousands(int64(single)),
		wording.Count(int64(n), "condition")))
}
