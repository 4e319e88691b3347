package crossval

import (
	"context"
	"time"

	"parcorels/dataset"
	"parcorels/family"
	"parcorels/model"
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
type Learner func(ctx context.Context, lambda ratio.Ratio, l Limits) (*Learned, error)

// Learned is a model with what it took.
type Learned struct {
	Model model.Model
	// When are the antecedents of each of the model's cases that must all hold, by
	// their index in the training part with Cuts.
	When   [][]int
	Cuts   []dataset.Cut // antecedents behind those of the training part
	Points int           // distinct points of the training part
	Search time.Duration // from the start of the search to its end
	Work   int64         // prefixes expanded, sets counted or rules looked at
}

// Limits are what searches of all families have in common. A family without a
// limit of some kind ignores it.
type Limits struct {
	Workers int           // of all fits together; 0: all that GOMAXPROCS allows
	Memory  int64         // of all fits together, in bytes; 0: no limit
	Time    time.Duration // of each fit; 0: no limit
	Nodes   int64         // of each fit; 0: no limit
}

// part returns the limits of a fit that has some of all workers, and the same part
// of the memory.
func (l Limits) part(workers int) Limits {
	if l.Memory > 0 {
		l.Memory = max(1, l.Memory/int64(l.Workers)*int64(workers))
	}
	l.Workers = workers
	return l
}

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
	return func(ctx context.Context, price ratio.Ratio, l Limits) (*Learned, error) {
		m, err := p.Fit(ctx, f.At(price, l))
		if err != nil {
			return nil, err
		}
		s := m.Stats()
		return &Learned{m.Model, m.Antecedents(), m.Cuts(), p.Points, time.Duration(s.SecondsSearch * float64(time.Second)), s.Expanded},
			nil
	}, nil
}
