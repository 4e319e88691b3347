package path

import (
	"context"
	"time"

	"parcorels/family"
	"parcorels/internal/status"
	"parcorels/model"
	"parcorels/optionerr"
	"parcorels/ratio"
	listsearch "parcorels/rulelist/search"
)

// Usual is the smallest λ where nobody says.
const Usual = "0.005"

// Options say how to search, and down to which price.
type Options struct {
	family.Options                     // Lambda is not asked for; Time bounds all searches together
	Least          ratio.Ratio         // the smallest λ, between 0 and 1
	Searches       func(λ ratio.Ratio) // called before each search; nil: never
}

// Answer has all optimal models of a problem for all λ from Least upwards.
type Answer = Path[*family.Model]

// Ask finds all optimal rule lists or trees of the problem for every λ down to Least.
// The intervals that a limit of time leaves open are in the answer.
func Ask(ctx context.Context, p *family.Problem, o Options) (*Answer, error) {
	least := o.Least
	f := family.Of(p.Kind())
	switch {
	case !f.Shares:
		return nil, optionerr.Errorf("Family", "a %s has no price of a rule as a share of the samples, which a path is about", p.Kind())
	case o.Maximise != "":
		return nil, optionerr.Errorf("Maximise", "option Maximise has one model, which is on no path")
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
	var weights []*listsearch.Weights // of the searches before, as there is one at a time
	return Follow(limited, p.Set.Data.TotalWeight(), least, func(limited context.Context, lambda ratio.Ratio,
		near ...*family.Model) (Solution[*family.Model], error) {
		if o.Searches != nil {
			o.Searches(lambda)
		}
		o := o.WithPrice(lambda)
		start := family.Start{Weights: listsearch.Nearest(weights, lambda), Keep: true, FromLarger: len(near) > 0}
		if end, ok := limited.Deadline(); ok && o.Time > 0 {
			o.Time = max(time.Until(end), 1)
		}
		for _, m := range near {
			start.Known = append(start.Known, m.Antecedents())
		}
		m, found, err := p.FitFrom(ctx, o, start)
		if err != nil {
			return Solution[*family.Model]{}, err
		}
		if found != nil {
			weights = append(weights, found)
		}
		c := m.Certificate()
		s := Solution[*family.Model]{Model: m, Size: c.Size, Errors: model.ErrorWeight(m.Cases())}
		if c.Status != status.Optimal {
			s.Bound = c.Bound.Rat()
		}
		return s, nil
	})
}
