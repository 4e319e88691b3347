package rulelist

import "testing"

// TestScaledObjective: as many rules as a list can have, counted once each, never raise
// the objective that a value stands for, and fewer never lower it by a unit.
func TestScaledObjective(t *testing.T) {
	for scale := tieScale - 1; scale <= mostScale; scale++ {
		on := scaledBy(&bound{scale: scale})
		for _, objective := range []int64{0, 1, 2, 1000} {
			for _, rules := range []int64{0, 1, mostRules - 1, mostRules} {
				value := objective<<scale + on.tie*rules
				if got := on.objective(value); got > objective || rules == mostRules && got != objective {
					t.Errorf("scale %d: %d rules of objective %d stand for %d", scale, rules, objective, got)
				}
				if scale >= tieScale && objective > 0 && on.tie*mostRules >= 1<<scale {
					t.Errorf("scale %d: %d rules come to an objective", scale, mostRules)
				}
			}
		}
	}
}
