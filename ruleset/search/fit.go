package search

import (
	"context"
	"math/big"

	"parcorels/dataset"
	"parcorels/instance"
	"parcorels/internal/status"
	"parcorels/model"
	"parcorels/optionerr"
	"parcorels/ratio"
	"parcorels/rules"
	"parcorels/ruleset"
)

// Fit learns a rule set whose literals are the antecedents of set, as Solve does, and
// returns it as a model, with what was proven. The points are those of the set, as
// instance.PointsFromSet makes them. Software is the program that learns it;
// read are the options that the data were read with. Antecedents that are
// conjunctions are an error, as are those of Solve: all are *optionerr.Error.
func Fit(ctx context.Context, set *rules.Set, pts *instance.Points, o Options, software string, read dataset.Options) (*ruleset.Model,
	*Result, error) {
	for _, a := range set.Antecedents {
		if n := len(a.Literals); n > 1 {
			return nil, nil, optionerr.Errorf("MaxCard", "option MaxCard must be 1: a rule set makes its conjunctions itself, of single "+
				"features, and %q has %d", a.Name, n)
		}
	}
	λ, unit := o.Literal, set.Data.WeightUnit
	if set.Data.Weights == nil {
		unit = ratio.New(1, 1)
	}
	// Weights are integers, of which unit make a weight of 1.
	inUnits, ok := ratio.FromRat(ratio.Product(λ.Rat(), unit.Rat()))
	if !ok {
		return nil, nil, optionerr.Errorf("Literal", "option Literal times the unit of the weights has too many digits")
	}
	o.Literal = inUnits
	r, err := Solve(ctx, pts, o)
	if err != nil {
		return nil, nil, err
	}
	known, err := r.model(λ, unit)
	if err != nil {
		return nil, nil, err
	}
	known.Origin = model.Origin{Software: software, Status: r.status(ctx)}
	list := make([][]int, len(r.Rules))
	for i, rule := range r.Rules {
		list[i] = rule.Literals
	}
	m, err := ruleset.New(set, list, read, known)
	return m, r, err
}

// status says how the search ended.
func (r *Result) status(ctx context.Context) status.Status {
	switch {
	case r.Value == r.UpperBound:
		return status.Optimal
	case ctx.Err() != nil:
		return status.Interrupted
	case r.Stopped:
		return status.TimeLimit
	}
	return status.Finished
}

// model begins a model, with fractions in units of one sample's weight.
func (r *Result) model(λ, unit ratio.Ratio) (ruleset.Model, error) {
	den := new(big.Int).Mul(big.NewInt(r.Unit), big.NewInt(unit.Num))
	if !den.IsInt64() || big.NewInt(0).Mul(big.NewInt(max(r.UpperBound, 1)), big.NewInt(unit.Den)).BitLen() > 62 {
		return ruleset.Model{}, optionerr.Errorf("Weight", "with these weights the value would overflow: round the weights")
	}
	per := unit.Float()
	g := ruleset.Guarantee{Rho: r.Rho, Slack: r.Slack / per, Subproblems: []ruleset.Subproblem{}}
	for _, s := range r.Steps {
		g.Subproblems = append(g.Subproblems, ruleset.Subproblem{Value: s.Value / per, Bound: s.Bound / per})
	}
	return ruleset.Model{
		Prices:   ruleset.Prices{Beta0: ratio.New(1, 1), Beta1: ratio.New(1, 1), Beta2: ratio.New(1, overlaps), Lambda: λ},
		MaxRules: r.MaxRules, MaxLiterals: r.Literals, Guarantee: g,
		Value:      model.NewFraction(r.Value*unit.Den, den.Int64()),
		UpperBound: model.NewFraction(r.UpperBound*unit.Den, den.Int64()),
	}, nil
}
