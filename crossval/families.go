package crossval

import (
	"context"
	"time"

	"parcorels"
	"parcorels/model"
	"parcorels/ratio"
	"parcorels/rules"
)

// Models learns models of any family as package parcorels does. The price, limits and
// progress are those of the cross-validation.
type Models struct{ Options parcorels.Options }

func (f Models) options(price ratio.Ratio, l Limits) parcorels.Options {
	o := f.Options.WithPrice(price)
	o.Workers, o.Memory, o.Time, o.Nodes, o.Progress = l.Workers, l.Memory, l.Time, l.Nodes, nil
	return o
}

// family is what the options learn.
func (f Models) family() *parcorels.Family {
	if family := parcorels.FamilyOf(f.Options.Family); family != nil {
		return family
	}
	return parcorels.FamilyOf(model.RuleList)
}

// Validate implements Family.
func (f Models) Validate(price ratio.Ratio, l Limits) error {
	return f.options(price, l).Validate(parcorels.Reading{})
}

// Range implements Family.
func (f Models) Range(samples int) (least, most float64) { return f.family().Range(samples) }

// Prepare implements Family.
func (f Models) Prepare(set *rules.Set) (Learner, error) {
	p, err := parcorels.ProblemOf(set, parcorels.Reading{}, f.Options)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, price ratio.Ratio, l Limits) (*Learned, error) {
		m, err := p.Fit(ctx, f.options(price, l))
		if err != nil {
			return nil, err
		}
		s := m.Stats()
		return &Learned{m.Model, m.Antecedents(), m.Cuts(), p.Points, time.Duration(s.SecondsSearch * float64(time.Second)), s.Expanded}, nil
	}, nil
}
