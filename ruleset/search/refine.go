package search

import "slices"

// refine improves a rule set by adding and replacing single rules until nothing
// changes (Yang et al., Algorithm 4). A rule is replaced only if that makes the
// set better: the rule that local search finds may be worse than the old one.
// The value rises with every change, so this ends.
func (s *search) refine(rules []Rule, m method) []Rule {
	rules = slices.Clone(rules)
	for changed := true; changed && s.ctx.Err() == nil; {
		changed = false
		for len(rules) < s.o.Rules {
			found := s.best(rules, one, m, 1)
			if found.rule.value <= 0 {
				break
			}
			rules = append(rules, s.cover(found.rule.literals))
			changed = true
		}
		for i := 0; i < len(rules); i++ {
			others := slices.Delete(slices.Clone(rules), i, i+1)
			before := s.marginal(rules[i], others)
			found := s.best(others, one, m, len(rules)-i)
			switch {
			case found.rule.value <= 0 && before <= 0:
				rules = others
				i--
				changed = true
			case found.rule.value > max(before, 0):
				rules[i] = s.cover(found.rule.literals)
				changed = true
			}
		}
	}
	return rules
}

// marginal returns what rule r adds to the value of others, in the units of
// subproblems.
func (s *search) marginal(r Rule, others []Rule) int64 {
	return (s.value(append(slices.Clone(others), r)) - s.value(others)) * one
}
