package crossval

import (
	"context"

	"parcorels/family"
	"parcorels/optionerr"
	"parcorels/ratio"
	"parcorels/rules"
)

// Family says how models of one family are learned. It is all that the loop over
// folds and λ has to know of them; Models is that of the library.
type Family interface {
	// Validate reports a λ, or an option of the family, that no search can honour.
	Validate(lambda ratio.Ratio, l Limits) error
	// Prepare reduces a training part, once for all λ, and returns what learns
	// from it.
	Prepare(set *rules.Set) (Learner, error)
}

// Learner learns from one training part. Several goroutines may call it.
type Learner func(ctx context.Context, lambda ratio.Ratio, l Limits) (*family.Model, error)

// Limits are those of each fit, but workers and memory, which all fits that run at the same time share. A family without a
// limit of some kind ignores it.
type Limits = optionerr.Limits

// Models learns models of any family as package parcorels does. The price, limits and
// progress are those of the cross-validation.
type Models struct{ Options family.Options }

// At returns the options at a price, within the limits of a fit.
func (f Models) At(price ratio.Ratio, l Limits) family.Options {
	o := f.Options.WithPrice(price)
	o.Workers, o.Memory, o.Time, o.Nodes, o.Progress = l.Workers, l.Memory, l.Time, l.Nodes, nil
	return o
}

// Validate implements Family.
func (f Models) Validate(price ratio.Ratio, l Limits) error {
	return f.At(price, l).Validate(family.Reading{})
}

// Prepare implements Family.
func (f Models) Prepare(set *rules.Set) (Learner, error) {
	p, err := family.ProblemOf(set, family.Reading{}, f.Options)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, price ratio.Ratio, l Limits) (*family.Model, error) {
		return p.Fit(ctx, f.At(price, l))
	}, nil
}
