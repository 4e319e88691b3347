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
	treesearch "parcorels/tree/search"
)

// Path has all optimal models of a problem for all λ from some value upwards; see package
// choice.
type Path = choice.Path[*Model]

// AtMost returns the best rule list of at most k rules, or the best tree of at most k leaves, for
// every k between the sizes of models that follow one another on the path: of the fewest errors,
// then of the fewest rules or leaves. For the sizes on the path it is the path's model. One that a limit left open says so in its
// certificate. The options are those of the path.
func (p *Problem) AtMost(ctx context.Context, o Options, path *Path) (between []*Model, err error) {
	switch {
	case p.kind != model.RuleList && p.kind != model.Tree:
		return nil, optionerr.Errorf("Family", "only rule lists and trees can be limited to a number of rules or leaves")
	case p.numbers != nil:
		return nil, optionerr.Errorf("Cuts", "trees with option Cuts all cannot be limited to a number of leaves: leave it out, and numbers are cut")
	}
	for _, v := range path.Vertices {
		o.corners = append(o.corners, treesearch.Corner{Leaves: v.Size, Errors: v.Errors})
	}
	left, less := o.sharedTime(), choice.Vertex[*Model]{} // before the limit
	fit := func(k int, fewer bool) (*Model, error) {
		o := left()
		o.Lambda = "0"
		if p.kind == model.Tree {
			o.MaxLeaves, o.fewer = k, fewer
		} else {
			o.MaxRules, o.known = k, [][][]int{less.Model.when}
			if e := less.From; len(o.First) == 0 && e.Num().IsInt64() && e.Denom().IsInt64() {
				o.edge = ratio.New(e.Num().Int64(), e.Denom().Int64())
			}
		}
		if fewer {
			o.Time /= 2 // small limits take less time, if this one takes too much
		}
		return p.Fit(ctx, o)
	}
	for i, v := range path.Vertices {
		less = path.Vertices[max(0, i-1)]
		from, to := less.Size+1, v.Size-1
		var large []*Model // of the largest limits, which one search of a tree finds together
		if p.kind == model.Tree && from < to {
			m, err := fit(to, true)
			if err != nil {
				return nil, err
			}
			large = append(m.fewer, m)
			to -= len(large)
		}
		for k := from; k <= to; k++ {
			m, err := fit(k, false)
			if err != nil {
				return nil, err
			}
			between = append(between, m)
		}
		between = append(between, large...)
	}
	return between, nil
}

// sharedTime returns a function that returns the options with what is left of option Time, for
// searches that share it.
func (o Options) sharedTime() func() Options {
	end := time.Now().Add(o.Time)
	return func() Options {
		left := o
		if o.Time > 0 {
			left.Time = max(time.Until(end), 1)
		}
		return left
	}
}

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
