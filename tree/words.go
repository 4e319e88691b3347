package tree

import (
	"strings"

	"parcorels/dataset"
	"parcorels/model"
)

// opposites are relations in names, each beside what holds where it does not.
var opposites = [][2]string{{" = ", " ≠ "}, {" ≤ ", " > "}, {" < ", " ≥ "}, {" in ", " not in "}}

// negation returns the literal that holds where l does not. A bound on a column
// with missing values has no opposite: neither bound holds of a missing one.
func negation(l model.Literal) model.Literal {
	l.Negated = !l.Negated
	l.Name = opposite(l)
	return l
}

// bounded reports whether a literal compares a number: with a threshold, or with a cut that was asked for.
func bounded(l model.Literal) bool {
	return l.Test.Kind == dataset.Threshold || l.Test.Kind == dataset.Interval
}

func opposite(l model.Literal) string {
	if bare, negated := strings.CutPrefix(l.Name, "not "); negated {
		return bare
	}
	if bounded(l) && !l.Test.Complete || l.Test.Low != nil && l.Test.High != nil {
		return "not " + l.Name
	}
	for _, o := range opposites {
		for i, relation := range o {
			if strings.Count(l.Name, relation) == 1 {
				return strings.Replace(l.Name, relation, o[1-i], 1)
			}
		}
	}
	return "not " + l.Name
}
