package parcorels

import (
	"context"

	bayessearch "parcorels/bayes/search"
	"parcorels/instance"
	"parcorels/model"
	"parcorels/optionerr"
	"parcorels/report"
	listsearch "parcorels/rulelist/search"
	"parcorels/rules"
	setsearch "parcorels/ruleset/search"
	"parcorels/tree"
	treesearch "parcorels/tree/search"
)

// software is the name that models of Fit carry.
const software = "package parcorels"

// Fit finds the best model of the family on the data, and proves that none is
// better unless a limit or ctx ends the search first: then the model is the best
// so far, and its Certificate says what bound is proved. If ctx ends while
// antecedents are mined there is no model, and the error is that of ctx.
func Fit(ctx context.Context, data *Data, o Options) (*Model, error) {
	s, err := o.settle()
	if err != nil {
		return nil, err
	}
	if data == nil || data.Dataset == nil {
		return nil, optionerr.Errorf("Data", "no data: begin with Read")
	}
	if k := data.ClassCount(); k > 2 && s.Family != model.Tree {
		return nil, optionerr.Errorf("Positive", "%d classes, a %s tells two apart: choose one by option Positive", k, s.Family)
	}
	set, err := s.antecedents(ctx, data)
	if err != nil {
		return nil, err
	}
	fit := s.fitList
	switch s.Family {
	case model.Tree:
		fit = s.fitTree
	case model.RuleSet:
		fit = s.fitSet
	case model.BayesianRuleList:
		fit = s.fitBayes
	}
	m, err := fit(ctx, set, data)
	if err != nil {
		return nil, err
	}
	m.stats.CountAntecedents(set)
	return m, nil
}

// antecedents mines the data; an .out file holds its own.
func (s *settled) antecedents(ctx context.Context, data *Data) (*rules.Set, error) {
	if data.Format == "out" {
		return rules.Given(data.Dataset)
	}
	return rules.Mine(ctx, data.Dataset, s.mining)
}

func (s *settled) fitList(ctx context.Context, set *rules.Set, data *Data) (*Model, error) {
	in, err := instance.FromSet(set)
	if err != nil {
		return nil, err
	}
	r, err := listsearch.Solve(ctx, in, listsearch.Options{Lambda: s.lambda, Workers: s.Workers, Time: s.Time, Memory: s.Memory})
	if err != nil {
		return nil, err
	}
	m, err := r.Model(set, s.lambda, software, data.reading)
	if err != nil {
		return nil, err
	}
	return &Model{m, report.SearchStats(in, &r.Stats), data.Notes}, nil
}

func (s *settled) fitTree(ctx context.Context, set *rules.Set, data *Data) (*Model, error) {
	points, err := instance.PointsFromSet(set)
	if err != nil {
		return nil, err
	}
	r, err := treesearch.Solve(ctx, points, treesearch.Options{Lambda: s.lambda, Depth: s.Depth, Workers: s.Workers, Time: s.Time, Memory: s.Memory})
	if err != nil {
		return nil, err
	}
	m, err := tree.New(set, r.Tree, tree.Meta{
		Software: software, Status: r.Status, Lambda: s.lambda, MaxDepth: s.Depth,
		Objective: r.Objective, LowerBound: r.LowerBound, Options: data.reading,
	})
	if err != nil {
		return nil, err
	}
	return &Model{m, report.TreeStats(points, r), data.Notes}, nil
}

func (s *settled) fitSet(ctx context.Context, set *rules.Set, data *Data) (*Model, error) {
	o := setsearch.Options{Prices: setsearch.DefaultPrices(), Rules: s.Rules, Workers: s.Workers, Time: s.Time}
	o.Prices.Literal = s.lambda
	m, r, err := setsearch.Fit(ctx, set, nil, o, software, data.reading)
	if err != nil {
		return nil, err
	}
	return &Model{m, report.Stats{Antecedents: len(set.Antecedents), Points: r.Points, Expanded: r.Nodes, Workers: r.Workers}, data.Notes}, nil
}

func (s *settled) fitBayes(ctx context.Context, set *rules.Set, data *Data) (*Model, error) {
	o := bayessearch.Options{Prior: bayessearch.DefaultPrior(), Workers: s.Workers, Time: s.Time, Memory: s.Memory}
	o.Prior.Length = s.lambda
	m, r, err := bayessearch.Fit(ctx, set, nil, o, software, data.reading)
	if err != nil {
		return nil, err
	}
	return &Model{m, report.Stats{Antecedents: len(set.Antecedents), Points: r.Points, Expanded: r.Expanded, Workers: r.Workers}, data.Notes}, nil
}
