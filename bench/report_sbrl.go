package bench

import (
	"cmp"
	"strconv"
)

// listFoldsTable is what SBRL's figures show: accuracy, AUC and time of Bayesian lists,
// CART and logistic regression.
func listFoldsTable(list []*summary) *table {
	const tree, logistic = "CART ", "logistic regression "
	t := newTable("data", "antecedents", "λ", "rules", "accuracy", "AUC", "seconds", "CART: leaves", "accuracy", "AUC", "seconds",
		"logistic regression: accuracy", "AUC", "seconds", "SBRL's seconds in the paper")
	for _, s := range ownOf(list) {
		value := func(name string) float64 { return s.measure(name).Value }
		t.add(s.Instance, count(int64(s.Antecedents)), shortLambda(cmp.Or(s.LambdaText, s.Lambda)), decimals(value(rulesMeasure), 1), s.spread(accuracyMeasure), decimals(value(aucMeasure), 3),
			figure(s.seconds()), decimals(value(tree+"leaves"), 0), s.spread(tree+accuracyMeasure), decimals(value(tree+aucMeasure), 3), figure(value(tree+"seconds")),
			s.spread(logistic+accuracyMeasure), decimals(value(logistic+aucMeasure), 3), figure(value(logistic+"seconds")), sbrlSeconds[s.Instance])
	}
	return t
}

// sbrlSeconds are the times of SBRL in the paper: section 5, tables 2 and 3.
var sbrlSeconds = map[string]string{"tic-tac-toe-table": ".759", "adult": "18", "telco": "5.24"}

// theoremTable is what each bound is worth to the exact search.
func theoremTable(list []*summary) *table {
	t := newTable("data", "λ", "left out", "log posterior", "gap in nats", "rules", "seconds", "of which behind the chains", "runs", "prefixes expanded")
	for _, s := range ownOf(list) {
		more := ""
		if s.cut() {
			more = "> "
		}
		t.add(s.Instance, shortLambda(s.Lambda), s.Variant, decimals(s.Objective, 4), figure(s.Gap), strconv.Itoa(s.Length), s.time(),
			more+figure(s.median(exactSeconds)), strconv.Itoa(len(s.runs)), more+count(int64(s.median(expanded))))
	}
	return t
}

// reachTable is how far proofs reach.
func reachTable(list []*summary) *table {
	t := newTable("data", "antecedents", "λ", "most rules", "log posterior", "gap in nats", "rules", "seconds", "workers", "prefixes expanded", "status")
	for _, s := range ownOf(list) {
		most := "any"
		if s.MaxRules > 0 {
			most = strconv.Itoa(s.MaxRules)
		}
		t.add(s.Instance, count(int64(s.Antecedents)), shortLambda(s.Lambda), most, decimals(s.Objective, 4), figure(s.Gap), strconv.Itoa(s.Length),
			s.time(), strconv.Itoa(s.Searchers), count(int64(s.median(expanded))), string(s.Status))
	}
	return t
}

func exactSeconds(r *Record) float64 { return r.SecondsSearch - r.SecondsFirst }
