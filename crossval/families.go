package crossval

import (
	"context"
	"time"

	bayessearch "parcorels/bayes/search"
	"parcorels/dataset"
	"parcorels/instance"
	"parcorels/ratio"
	listsearch "parcorels/rulelist/search"
	"parcorels/rules"
	setsearch "parcorels/ruleset/search"
	"parcorels/tree"
	treesearch "parcorels/tree/search"
)

// RuleLists learns rule lists with the options of their search; λ, limits and
// progress are those of the cross-validation.
type RuleLists struct{ Search listsearch.Options }

func (f RuleLists) options(lambda ratio.Ratio, l Limits) listsearch.Options {
	o := f.Search
	o.Lambda, o.Workers, o.Memory, o.Time, o.Nodes, o.Progress = lambda, l.Workers, l.Memory, l.Time, l.Nodes, nil
	return o
}

// Validate implements Family.
func (f RuleLists) Validate(lambda ratio.Ratio, l Limits) error {
	return f.options(lambda, l).Validate()
}

// Range implements Family: from the λ at which a rule pays that saves half an
// error to a quarter of all samples.
func (RuleLists) Range(samples int) (least, most float64) { return 1 / (2 * float64(samples)), .25 }

// Prepare implements Family.
func (f RuleLists) Prepare(set *rules.Set) (Learner, error) {
	in, err := instance.FromSet(set)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, lambda ratio.Ratio, l Limits) (*Learned, error) {
		r, err := listsearch.Solve(ctx, in, f.options(lambda, l))
		if err != nil {
			return nil, err
		}
		when := make([][]int, len(r.Rules)+1)
		for i, rule := range r.Rules {
			when[i] = []int{rule.Antecedent}
		}
		m, err := r.Model(set, lambda, "", dataset.Options{})
		return &Learned{m, when, in.Points, r.Stats.Search, r.Stats.Expanded}, err
	}, nil
}

// Trees learns decision trees with the options of their search.
type Trees struct{ Search treesearch.Options }

func (f Trees) options(lambda ratio.Ratio, l Limits) treesearch.Options {
	o := f.Search
	o.Lambda, o.Workers, o.Memory, o.Time, o.Nodes, o.Progress = lambda, l.Workers, l.Memory, l.Time, l.Nodes, nil
	return o
}

// Validate implements Family.
func (f Trees) Validate(lambda ratio.Ratio, l Limits) error { return f.options(lambda, l).Validate() }

// Range implements Family, as for rule lists.
func (Trees) Range(samples int) (least, most float64) { return RuleLists{}.Range(samples) }

// Prepare implements Family.
func (f Trees) Prepare(set *rules.Set) (Learner, error) {
	pts, err := instance.PointsFromSet(set)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, lambda ratio.Ratio, l Limits) (*Learned, error) {
		r, err := treesearch.Solve(ctx, pts, f.options(lambda, l))
		if err != nil {
			return nil, err
		}
		m, err := tree.New(set, r.Tree, tree.Meta{
			Status: r.Status, Lambda: lambda, MaxDepth: f.Search.Depth, Objective: r.Objective, LowerBound: r.LowerBound,
		})
		return &Learned{m, leaves(r.Tree), pts.Count, r.Stats.Search, r.Stats.Counted}, err
	}, nil
}

// leaves returns the antecedents that hold on the way to each leaf of a tree in
// preorder.
func leaves(preorder []int) (when [][]int) {
	var walk func(held []int)
	walk = func(held []int) {
		node := preorder[0]
		preorder = preorder[1:]
		if node < 0 {
			when = append(when, held)
			return
		}
		walk(append(held[:len(held):len(held)], node))
		walk(held)
	}
	walk(nil)
	return when
}

// RuleSets learns rule sets with the options of their search; λ is the price of a
// literal.
type RuleSets struct{ Search setsearch.Options }

// Validate implements Family. What else can be wrong is found by the search.
func (RuleSets) Validate(ratio.Ratio, Limits) error { return nil }

// Range implements Family: from a tenth of a sample to a quarter of them.
func (RuleSets) Range(samples int) (least, most float64) { return .1, float64(samples) / 4 }

// Prepare implements Family.
func (f RuleSets) Prepare(set *rules.Set) (Learner, error) {
	pts, err := instance.PointsFromSet(set)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, lambda ratio.Ratio, l Limits) (*Learned, error) {
		o, start := f.Search, time.Now()
		o.Prices.Literal, o.Workers, o.Time, o.Progress = lambda, l.Workers, l.Time, nil
		m, r, err := setsearch.Fit(ctx, set, pts, o, "", dataset.Options{})
		if err != nil {
			return nil, err
		}
		when := make([][]int, len(r.Rules)+1)
		for i, rule := range r.Rules {
			when[i] = rule.Literals
		}
		return &Learned{m, when, pts.Count, time.Since(start), r.Nodes}, nil
	}, nil
}

// BayesianLists learns Bayesian rule lists with the options of their search; λ is
// the expected number of rules.
type BayesianLists struct{ Search bayessearch.Options }

// Validate implements Family. What else can be wrong is found by the search.
func (BayesianLists) Validate(ratio.Ratio, Limits) error { return nil }

// Range implements Family: a prior is not chosen by its errors.
func (BayesianLists) Range(int) (least, most float64) { return 1, 0 }

// Prepare implements Family.
func (f BayesianLists) Prepare(set *rules.Set) (Learner, error) {
	pts, err := instance.PointsFromSet(set)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, length ratio.Ratio, l Limits) (*Learned, error) {
		o, start := f.Search, time.Now()
		o.Prior.Length, o.Workers, o.Memory, o.Time, o.Nodes, o.Progress = length, l.Workers, l.Memory, l.Time, l.Nodes, nil
		m, r, err := bayessearch.Fit(ctx, set, pts, o, "", dataset.Options{})
		if err != nil {
			return nil, err
		}
		when := make([][]int, len(r.Rules)+1)
		for i, a := range r.Rules {
			when[i] = []int{a}
		}
		return &Learned{m, when, pts.Count, time.Since(start), r.Expanded}, nil
	}, nil
}
