package search

import (
	"context"

	"parcorels/instance"
	"parcorels/rulelist"
	"parcorels/rules"
)

// Fit finds the smallest rule list over the antecedents of set, as Solve does,
// and returns it as a model that predicts on raw rows, with what was proven. A
// proof and a checkpoint carry the digest of set, whatever o says.
// The errors are those of instance.FromSet, Solve and rulelist.New.
func Fit(ctx context.Context, set *rules.Set, o Options) (*rulelist.Model, Result, error) {
	in, err := instance.FromSet(set)
	if err != nil {
		return nil, Result{}, err
	}
	if o.Proof != nil {
		o.Proof = &Proof{To: o.Proof.To, Digest: set.Digest(), Settings: o.Proof.Settings, File: o.Proof.File}
	}
	if o.Checkpoint != nil {
		c := *o.Checkpoint
		c.Digest = set.Digest()
		o.Checkpoint = &c
	}
	r, err := Solve(ctx, in, o)
	if err != nil {
		return nil, Result{}, err
	}
	list := make([]rulelist.Rule, len(r.Rules))
	for i, rule := range r.Rules {
		list[i] = rulelist.Rule(rule)
	}
	model, err := rulelist.New(set, list, r.Default, rulelist.Meta{
		Status: r.Status, Lambda: o.Lambda, Objective: r.Objective, LowerBound: r.LowerBound,
	})
	return model, r, err
}
