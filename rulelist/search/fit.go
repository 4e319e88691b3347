package search

import (
	"context"

	"parcorels/dataset"
	"parcorels/instance"
	"parcorels/ratio"
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
	model, err := r.Model(set, o.Lambda, "", dataset.Options{})
	return model, r, err
}

// Model returns the list on the antecedents of set as a model that predicts on raw rows.
// Lambda is the one searched with, software the program that learned it, and read how
// the data were read.
func (r *Result) Model(set *rules.Set, lambda ratio.Ratio, software string, read dataset.Options) (*rulelist.Model, error) {
	return rulelist.New(set, r.Rules, r.Default, rulelist.Meta{
		Software: software, Status: r.Status, Lambda: lambda, Objective: r.Objective, LowerBound: r.LowerBound, Options: read,
	})
}
