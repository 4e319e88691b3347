package family

import (
	"context"

	"parcorels/dataset"
	"parcorels/model"
	"parcorels/ratio"
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
	objective := want.Objective.Rat()
	if s.family.reaches != nil && q.first == nil {
		target := ratio.Floor(ratio.Product(ratio.Int(s.price.Den), ratio.Int(d.TotalWeight()), objective))
		if !target.IsInt64() {
			return 0, problem.ErrOverflow
		}
		return s.family.reaches(ctx, q, s, target.Int64())
	}
	other, err := q.Fit(ctx, o)
	if err != nil {
		return 0, err
	}
	got := other.Certificate()
	better := func(x model.Fraction) bool {
		order := x.Rat().Cmp(objective)
		return order <= 0 && !want.Maximize || order >= 0 && want.Maximize
	}
	switch {
	case better(got.Objective):
		return Yes, nil
	case better(got.Bound):
		return Unknown, nil
	}
	return No, ctx.Err()
}
