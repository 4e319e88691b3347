package search

import "slices"

// refine improves a rule set by adding and replacing single rules until nothing
// changes (Yang et al., Algorithm 4). A rule is replaced only if that makes the
// set better: the rule that local search finds may be worse than the old one.
// The value rises with every change, so this ends.
func (l *learner) refine(rules []Rule, m method) []Rule {
	rules = slices.Clone(rules)
	for changed := true; changed && l.ctx.Err() == nil; {
		changed = false
		for len(rules) < l.o.Rules {
			found := l.best(rules, one, m, 1, 0)
			if found.rule.value <= 0 {
				break
			}
			rules = append(rules, l.cover(found.rule.literals))
			changed = true
		}
		for i := 0; i < len(rules); i++ {
			others := slices.Delete(slices.Clone(rules), i, i+1)
			before := l.worth(rules[i].Literals, others, one)
			found := l.best(others, one, m, len(rules)-i, max(0, before))
			switch {
			case found.rule.value > max(before, 0):
				rules[i] = l.cover(found.rule.literals)
				changed = true
			case before <= 0:
				rules = others
				i--
				changed = true
			}
		}
	}
	return rules
}

// worth returns what a rule adds behind others if the revenue is multiplied by
// fine/2^20, in the units of subproblems.
func (s *search) worth(literals []int, others []Rule, fine int64) int64 {
	r := s.cover(literals)
	return fine*(s.revenue(append(slices.Clone(others), r))-s.revenue(others)) - one*s.cost(r)
}
