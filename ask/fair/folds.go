package fair

import (
	"context"

	"parcorels/ask/crossval"
	"parcorels/family"
	"parcorels/internal/status"
	"parcorels/ratio"
	"parcorels/rulelist"
	"parcorels/rules"
)

// Folds learns the best rule lists within limits for a cross-validation.
type Folds struct {
	crossval.Models
	Limits []Limit // on an operating point
}

// Prepare implements crossval.Family. The model is optimal where it is proved to be so among the lists within the limits.
func (f Folds) Prepare(set *rules.Set) (crossval.Learner, error) {
	p, err := family.ProblemOf(set, family.Reading{}, f.Options)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, price ratio.Ratio, l crossval.Limits) (*family.Model, error) {
		a, err := Ask(ctx, p, Options{Options: f.At(price, l), Limits: f.Limits})
		if err != nil {
			return nil, err
		}
		if list, is := a.Model.Model.(*rulelist.Model); is && a.Proved {
			list.Status = status.Optimal
		}
		return a.Model, nil
	}, nil
}
