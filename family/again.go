package family

import (
	"context"
	"math/big"

	"parcorels/dataset"
	"parcorels/model"
	"parcorels/rulelist/problem"
	"parcorels/rules"
)

// AsGood asks whether some model of data with other labels is as good as want says.
func (p *Problem) AsGood(ctx context.Context, o Options, d *dataset.Dataset, want *model.Certificate) (AsGood, error) {
	o = p.withDefaults(o)
	o.Forbid = rules.Known(d, o.Forbid) // other labels may cut numbers elsewhere
	s, err := o.resolve(p.reading)
	if err != nil {
		return 0, err
	}
	q, err := s.problem(ctx, &Data{d, p.reading})
	if err != nil {
		return 0, err
	}
	objective := big.NewRat(want.Objective.Num, want.Objective.Den)
	if s.family.reaches != nil && q.first == nil {
		units := new(big.Int).Mul(big.NewInt(s.price.Den), big.NewInt(d.TotalWeight()))
		target := units.Mul(units, objective.Num())
		if !target.Quo(target, objective.Denom()).IsInt64() {
			return 0, problem.ErrOverflow
		}
		return s.family.reaches(ctx, q, s, target.Int64())
	}
	other, err := q.Fit(ctx, o)
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
