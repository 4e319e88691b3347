package family

import (
	"context"
	"math/big"

	"parcorels/dataset"
	"parcorels/model"
	"parcorels/rulelist/problem"
	"parcorels/rules"
)

// Relabelling asks what other labels of the samples of a problem allow.
type Relabelling struct {
	of *Problem
	o  Options
	s  *resolved
}

// Relabelling prepares searches with these options.
func (p *Problem) Relabelling(o Options) (*Relabelling, error) {
	s, err := p.resolve(o)
	return &Relabelling{of: p, o: p.withDefaults(o), s: s}, err
}

// AsGood asks whether some model of data with other labels is as good as want says.
func (r *Relabelling) AsGood(ctx context.Context, d *dataset.Dataset, want *model.Certificate) (AsGood, error) {
	s := *r.s
	s.Forbid = rules.Known(d, s.Forbid) // other labels may cut numbers elsewhere
	p, err := s.problem(ctx, &Data{d, r.of.reading})
	if err != nil {
		return 0, err
	}
	objective := big.NewRat(want.Objective.Num, want.Objective.Den)
	if s.family.reaches != nil && p.first == nil {
		units := new(big.Int).Mul(big.NewInt(s.price.Den), big.NewInt(d.TotalWeight()))
		target := units.Mul(units, objective.Num())
		if !target.Quo(target, objective.Denom()).IsInt64() {
			return 0, problem.ErrOverflow
		}
		return s.family.reaches(ctx, p, &s, target.Int64())
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
