package parcorels

import (
	"context"
	"math/big"
	"time"

	"parcorels/choice"
	"parcorels/internal/status"
	"parcorels/model"
	"parcorels/optionerr"
	"parcorels/ratio"
	listsearch "parcorels/rulelist/search"
)

// Path has all optimal models of a problem for all λ from some value upwards; see package
// choice.
type Path = choice.Path[*Model]

// Path finds all optimal rule lists or trees of the problem for every λ down to least,
// between 0 and 1. Option Lambda is not asked for. Option Time bounds all searches
// together: what it leaves open is in the Path.
func (p *Problem) Path(ctx context.Context, o Options, least ratio.Ratio) (*Path, error) {
	f := FamilyOf(p.kind)
	switch {
	case !f.shares:
		return nil, optionerr.Errorf("Family", "a %s has no price of a rule as a share of the samples, which a path is about", p.kind)
	case !least.Within():
		return nil, optionerr.Errorf("Lambda", "a path down to λ = %v: expected a number between 0 and 1", least)
	case o.Proof != nil || o.Checkpoint != nil:
		return nil, optionerr.Errorf("Proof", "a path has neither a proof nor a checkpoint")
	}
	limited := ctx
	if o.Time > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, o.Time)
		defer cancel()
	}
	beside := o.Solve != nil // elsewhere
	o.keepWeights = !beside
	var weights []*listsearch.Weights // of the searches before, as there is one at a time
	return choice.Follow(limited, p.Set.Data.TotalWeight(), least, beside, func(limited context.Context, lambda ratio.Ratio, near ...*Model) (choice.Solution[*Model], error) {
		o := o.WithPrice(lambda)
		if end, ok := limited.Deadline(); ok && o.Time > 0 {
			o.Time = max(time.Until(end), 1)
		}
		for _, m := range near {
			o.known, o.falling = append(o.known, m.when), true
		}
		o.weights = listsearch.Nearest(weights, lambda)
		m, err := p.Fit(ctx, o)
		if err != nil {
			return choice.Solution[*Model]{}, err
		}
		if m.weights != nil {
			weights, m.weights = append(weights, m.weights), nil
		}
		c := m.Certificate()
		s := choice.Solution[*Model]{Model: m, Size: c.Size, Errors: model.ErrorWeight(m.Cases())}
		if c.Status != status.Optimal {
			s.Bound = big.NewRat(c.Bound.Num, c.Bound.Den)
		}
		return s, nil
	})
}
