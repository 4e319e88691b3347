package bench

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"parcorels"
	"parcorels/crossval"
	"parcorels/rules"
)

// Bayesian is the Model of a case whose answer is a Bayesian rule list. Its λ is the
// expected number of rules; without one it is found as the paper does: the length of the
// list that is learned from all samples with λ = 5.
const Bayesian = "bayes"

// The paper's chains.
const (
	paperChains     = 20
	paperIterations = 5000
)

// firstLength is the expected number of rules of the list whose length becomes λ.
const firstLength = "5"

// searchBayes learns a Bayesian list from all samples, or one from the training part of
// each fold.
func (c *Case) searchBayes(ctx context.Context, set *rules.Set, o parcorels.Options, mining rules.Options) (out Outcome, err error) {
	strongest(set, c.Keep)
	if c.Folds == 0 || c.Lambda == "" {
		if out, err = c.search(ctx, set, o); err != nil || c.Folds == 0 {
			return out, err
		}
		o.Length = strconv.Itoa(max(1, out.Length))
	}
	return c.validate(ctx, set, crossval.Models{Options: o}, o, mining)
}

// sbrlCases: the data sets of the paper that are at hand, by chains alone; then what each
// bound is worth where the exact search ends; then how many antecedents the proof is within
// reach of.
func sbrlCases() (cases []Case) {
	for _, name := range []string{"tic-tac-toe-table", "mushroom", "nursery", "telco", "adult"} {
		cases = append(cases, Case{Model: Bayesian, Part: "folds", Instance: name, Workers: 1, Folds: 10, Nodes: 1, Limit: 15, Beside: learned})
	}
	for _, i := range []struct{ name, lambda string }{{"monks1", "3"}, {"compas-binary", "3"}, {"car-evaluation", "3"}, {"fico", "3"}, {"tdata_R", "3"}} {
		for _, v := range []struct{ name, without string }{
			{"nothing", ""},
			{"length (Theorem 1)", "length"},
			{"each class apart (Theorem 2)", "pure"},
			{"points of both classes", "points"},
			{"capacity", "capacity"},
			{"all but Theorems 1 and 2", "points,capacity"},
			{"all", "length,pure,points,capacity"},
		} {
			cases = append(cases, each(i.name, i.lambda, Case{Model: Bayesian, Part: "theorems", Variant: v.name, Without: v.without, Workers: 1, Limit: 6})...)
		}
	}
	return append(cases, reachCases()...)
}

// reachCases: from single conditions to all antecedents of the CORELS authors' files, lists
// of any length and short ones.
func reachCases() (cases []Case) {
	for _, i := range []struct {
		name, lambda string
		keep, most   int
	}{
		{"bcancer", "3", 200, 0}, {"bcancer", "3", 0, 0}, {"haberman", "3", 50, 0}, {"haberman", "3", 100, 0}, {"votes", "3", 100, 0}, {"votes", "3", 200, 0},
		{"tdata_R", "3", 50, 0}, {"tdata_R", "3", 0, 0}, {"compas", "1", 40, 0}, {"compas", "1", 50, 0}, {"compas", "3", 0, 3}, {"compas", "3", 0, 4},
		{"monks2", "3", 20, 0}, {"ttt_train", "10", 50, 0}, {"ttt_train", "10", 100, 0},
	} {
		c := Case{Model: Bayesian, Part: "reach", Keep: i.keep, MaxRules: i.most, Limit: 20}
		switch {
		case i.keep > 0:
			c.Variant = fmt.Sprintf("best %d", i.keep)
		case i.most > 0:
			c.Variant = fmt.Sprintf("up to %d rules", i.most)
		}
		cases = append(cases, each(i.name, i.lambda, c)...)
	}
	return cases
}

// strongest keeps the n antecedents of a set that say most of the class (information
// gain), in their order. Of equal ones the first are kept.
func strongest(set *rules.Set, n int) {
	all := set.Antecedents
	if n == 0 || n >= len(all) {
		return
	}
	total, ones := float64(set.Data.N), float64(set.Data.Labels.Count())
	left := make([]float64, len(all)) // uncertainty, by antecedent
	order := make([]int, len(all))
	for i, a := range all {
		in, in1 := float64(a.Captured().Count()), float64(a.Captured().IntersectionCardinality(set.Data.Labels))
		order[i], left[i] = i, uncertainty(in1, in-in1)+uncertainty(ones-in1, total-in-(ones-in1))
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(left[a], left[b]) })
	order = order[:n]
	slices.Sort(order)
	kept := make([]rules.Antecedent, n)
	for i, j := range order {
		kept[i] = all[j]
	}
	set.Antecedents = kept
}

// uncertainty is the entropy of the classes of a + b samples, times their number.
func uncertainty(a, b float64) float64 {
	if a == 0 || b == 0 {
		return 0
	}
	return -a*math.Log(a/(a+b)) - b*math.Log(b/(a+b))
}

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
