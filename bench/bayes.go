package bench

import (
	"context"
	"fmt"
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
