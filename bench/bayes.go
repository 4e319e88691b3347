package bench

import (
	"context"
	"fmt"
	"parcorels"
	"parcorels/model"
	"time"

	"parcorels/bayes/search"
	"parcorels/crossval"
	"parcorels/dataset"
	"parcorels/instance"
	"parcorels/internal/status"
	"parcorels/ratio"
	"parcorels/report"
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

// bayesOptions returns the options of a search for a Bayesian list, or an error that
// names what the case has wrong.
func (c *Case) bayesOptions() (o search.Options, err error) {
	if c.Policy != "" || c.Symmetry != "" || c.Separate || c.Depth != 0 || c.Copies > 1 {
		return o, fmt.Errorf("policy, symmetry, separate points, depth and copies are not for Bayesian rule lists")
	}
	o.Prior = search.DefaultPrior()
	if c.Lambda != "" {
		if o.Prior.Length, err = ratio.Parse(c.Lambda); err != nil {
			return o, fmt.Errorf("λ: %w", err)
		}
	} else {
		o.Prior.Length = ratio.New(5, 1)
	}
	if o.Without, err = search.ParseBounds(c.Without); err != nil {
		return o, err
	}
	if c.Folds > 0 {
		o.Chains, o.Iterations = paperChains, paperIterations
	}
	o.MaxRules = c.MaxRules
	o.Workers, o.Memory, o.Nodes, o.Time = c.Workers, c.Memory, c.Nodes, time.Duration(c.Limit*float64(time.Second))
	return o, nil
}

// searchBayes learns a Bayesian list from all samples, or one from the training part of
// each fold.
func (c *Case) searchBayes(ctx context.Context, in Instance, folder string) (out Outcome, err error) {
	o, err := c.bayesOptions()
	if err != nil {
		return out, err
	}
	if c.Folds > 0 {
		in.reading.KeepColumns = true
	}
	return in.timed(ctx, folder, func(set *rules.Set) (out Outcome, err error) {
		strongest(set, c.Keep)
		if c.Folds == 0 || c.Lambda == "" {
			if out, err = c.learnList(ctx, set, o); err != nil || c.Folds == 0 {
				return out, err
			}
			o.Prior.Length = ratio.New(int64(max(1, out.Length)), 1)
		}
		return c.validate(ctx, set, crossval.Models{Options: parcorels.Options{Family: model.BayesianRuleList, MaxRules: o.MaxRules, Chains: o.Chains, Iterations: o.Iterations}}, o.Prior.Length, in.mining)
	})
}

func (c *Case) learnList(ctx context.Context, set *rules.Set, o search.Options) (out Outcome, err error) {
	pts, err := instance.PointsFromSet(set)
	if err != nil {
		return out, err
	}
	start := time.Now()
	m, r, err := search.Fit(ctx, set, pts, o, Own, dataset.Options{})
	if err != nil {
		return out, fmt.Errorf("%s: %w", c.Instance, err)
	}
	out.SecondsSearch, out.SecondsFirst = time.Since(start).Seconds(), r.Seconds.Chains
	out.Status = searched(r.Status)
	out.Found = found(report.Summarize(m))
	if c.Lambda == "" {
		out.LambdaText = o.Prior.Length.String()
	}
	if r.Status == status.NodeLimit {
		out.Status = Done
	}
	out.Antecedents, out.Points, out.Expanded, out.Searchers = pts.Antecedents, pts.Count, r.Expanded, r.Workers
	return out, nil
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
