package bench

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// setTable is tables 5 and 6 of the paper: values, bounds and seconds.
func setTable(list []*summary) *table {
	t := newTable("data", "literals in all", "λ", "β2", "value", "bound", "value/bound", "steps proved", "rules", "literals", "covered twice", "seconds", "runs",
		"paper: V local", "V exact", "seconds")
	for _, s := range ownOf(list) {
		paper := setPaper[strings.TrimSuffix(s.Instance, "-labels")]
		bound := s.Objective
		if s.UpperBound != nil {
			bound = *s.UpperBound
		}
		t.add(s.Instance, strconv.Itoa(s.Antecedents), shortLambda(s.Lambda), shortLambda(s.Beta2), decimals(s.Objective, 2), decimals(bound, 2),
			decimals(s.Objective/bound, 2), s.steps(), strconv.Itoa(s.Length), decimals(s.measure(literalsMeasure).Value, 0),
			share(s.measure(twiceMeasure).Value), s.time(), strconv.Itoa(len(s.runs)), paper.local, paper.exact, paper.seconds)
	}
	return t
}

func (s *summary) steps() string {
	return fmt.Sprintf("%s of %s", decimals(s.measure(provedMeasure).Value, 0), decimals(s.measure(stepsMeasure).Value, 0))
}

// setFoldsTable is tables 1 and 2 of the paper: accuracy, rules, literals and overlap.
func setFoldsTable(list []*summary) *table {
	t := newTable("data", "λ", "accuracy", "paper", "CART", "CART of the paper", "rules", "paper", "literals", "paper", "covered twice", "paper", "steps proved", "seconds a fold")
	for _, s := range ownOf(list) {
		p := setPaper[strings.TrimSuffix(s.Instance, "-labels")]
		proved := s.measure(provedMeasure).Value / s.measure(stepsMeasure).Value
		t.add(s.Instance, cmp.Or(shortLambda(s.Lambda), "chosen"), s.spread(accuracyMeasure), p.accuracy, s.spread("CART "+accuracyMeasure), p.cart,
			decimals(s.measure(rulesMeasure).Value, 1), p.rules, decimals(s.measure(literalsMeasure).Value, 1), p.literals,
			share(s.measure(twiceMeasure).Value), p.overlap, share(proved), figure(s.seconds()))
	}
	return t
}

func decimals(x float64, n int) string { return shortLambda(strconv.FormatFloat(x, 'f', n, 64)) }

// setFigures are what the paper says of a data set.
type setFigures struct{ accuracy, cart, rules, literals, overlap, seconds, local, exact string }

// setPaper are the figures of the paper's tables 1, 2, 5 and 6. Its β2, λ and K are
// those that a cross-validation chose; it does not tell them.
var setPaper = map[string]setFigures{
	"tic-tac-toe-table": {"100.00%", "94.20%", "8", "24", "2.3%", ".794", "433.78", "433.78"},
	"pima":              {"75.40%", "75.40%", "3.2", "10", "2.6%", "1.58", "74.84", "76"},
	"mushroom":          {"100.00%", "100.00%", "3.9", "8.4", "0%", "1.64", "3,908", "3,908"},
	"compas-binary":     {"67.00%", "67.30%", "11.4", "42.2", ".1%", "3.38", "871", "875"},
	"fico":              {"71.20%", "71.90%", "21.6", "134", ".3%", "7.71", "1,977", "1,919"},
	"heloc":             {"70.40%", "70.90%", "16", "118.6", "3.5%", "33.9", "1,936.3", "1,927"},
	"adult":             {"84.40%", "83.70%", "9.1", "83.4", ".8%", "16", "3,690", "3,665.1"},
}
