package family

import (
	"context"
	"math/big"

	"parcorels/dataset"
	"parcorels/instance"
	"parcorels/model"
	"parcorels/rulelist/problem"
	"parcorels/rules"
)

// Relabelling asks what other labels of the samples of a problem allow. The points of the samples are
// found once: labels only change their weights.
type Relabelling struct {
	of     *Problem
	places *instance.Places // nil: other labels, with their weights, may have other antecedents
	o      Options
	s      *resolved
}

// Relabelling prepares searches with these options.
func (p *Problem) Relabelling(o Options) (*Relabelling, error) {
	s, err := p.resolve(o)
	if err != nil {
		return nil, err
	}
	r, d := &Relabelling{of: p, o: p.withDefaults(o), s: s}, p.Set.Data
	if s.family.reaches == nil || p.first != nil || p.numbers != nil || d.Weights != nil && d.Format != "out" ||
		p.Set.Pruned() {
		return r, nil
	}
	r.places, err = instance.PlacesFromSet(p.Set)
	return r, err
}

// knows reports that the points of data with other labels are known: their features are the same.
func (r *Relabelling) knows(d *dataset.Dataset) bool {
	own := r.of.Set.Data.Features
	return r.places != nil && len(d.Features) == len(own) && len(own) > 0 && &d.Features[0] == &own[0]
}

// problem returns the problem of data with other labels.
func (r *Relabelling) problem(ctx context.Context, d *dataset.Dataset) (_ *Problem, err error) {
	if !r.knows(d) {
		s := *r.s
		s.Forbid = rules.Known(d, s.Forbid) // other labels may cut numbers elsewhere
		return s.problem(ctx, &Data{d, r.of.reading})
	}
	set := *r.of.Set
	set.Data = d
	p := &Problem{Set: &set, kind: r.of.kind, reading: r.of.reading, file: d.Source}
	if p.kind == model.RuleList {
		p.instance, err = r.places.Instance(&set)
	} else {
		p.points, err = r.places.Points(&set)
	}
	return p, err
}

// AsGood asks whether some model of data with other labels is as good as want says.
func (r *Relabelling) AsGood(ctx context.Context, d *dataset.Dataset, want *model.Certificate) (AsGood, error) {
	p, err := r.problem(ctx, d)
	if err != nil {
		return 0, err
	}
	s := r.s
	objective := big.NewRat(want.Objective.Num, want.Objective.Den)
	if s.family.reaches != nil && p.first == nil {
		units := new(big.Int).Mul(big.NewInt(s.price.Den), big.NewInt(d.TotalWeight()))
		target := units.Mul(units, objective.Num())
		if !target.Quo(target, objective.Denom()).IsInt64() {
			return 0, problem.ErrOverflow
		}
		return s.family.reaches(ctx, p, s, target.Int64())
	}
	other, err := p.Fit(ctx, r.o)
	if err != nil {
		return 0, err
	}
	got := other.Certificate()
	better := func(num, den int64) bool {
		order := big.NewRat(num, den).Cmp(objective)
		return order <= 0 && !want.Maximize || order >= 0 && want.Maximize
	}
	switch {
	case better(got.Objective.Num, got.Objective.Den):
		return Yes, nil
	case better(got.Bound.Num, got.Bound.Den):
		return Unknown, nil
	}
	return No, ctx.Err()
}
