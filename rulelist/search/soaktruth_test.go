package search

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"parcorels/internal/testing/oracle"
	"parcorels/internal/testing/testgen"
	"parcorels/parallel"
)

// truth is what is known about an instance without the search at hand.
type truth struct {
	best  oracle.List // the smallest list known
	lower int64       // no list has a smaller objective; best.Objective: best is optimal
	tied  bool        // another list of the same objective and length may be the smallest
}

func (w truth) proven() bool { return w.lower == w.best.Objective }

// knownBy returns the truth by the oracle if the instance is small enough, else
// by the reference search.
func knownBy(ctx context.Context, in testgen.Instance, small bool) (truth, error) {
	if small {
		best, err := in.Best()
		return truth{best: best, lower: best.Objective}, err
	}
	r, best, err := solved(ctx, in)
	return truth{best: best, lower: r.LowerBound}, err
}

// scaleLimit is what the total weight times λ's denominator stays below in what
// the solver takes. (The oracle takes more.)
const scaleLimit = 1 << 60

// disguise changes the instance and says what is then known about it, without
// solving it again.
func disguise(rng *rand.Rand, in testgen.Instance, w truth) (testgen.Instance, truth, error) {
	if !w.proven() {
		return in, w, nil
	}
	for range rng.IntN(3) {
		other, list := pick(rng, testgen.Transforms).Apply(rng, in, w.best.Antecedents)
		if other.Check() != nil || other.Scale() >= scaleLimit {
			continue // weights that would overflow
		}
		best, err := other.Evaluate(list)
		if err != nil {
			return in, w, err
		}
		in, w = other, truth{best: best, lower: best.Objective}
	}
	if rng.IntN(4) == 0 {
		in, w.tied = testgen.PermuteAntecedents(rng, in), true
	}
	return in, w, nil
}

// judge holds a result against the truth.
func (w truth) judge(in testgen.Instance, r Result) error {
	if err := consistent(in, r); err != nil {
		return err
	}
	got := oracle.List{Antecedents: antecedents(r), Objective: r.Objective}
	switch {
	case r.Objective < w.lower || r.LowerBound > w.best.Objective:
		return fmt.Errorf("%v: objective %d, lower bound %d; the optimum is in [%d, %d]", r.Status, r.Objective, r.LowerBound, w.lower,
			w.best.Objective)
	case r.Status != parallel.Optimal || r.Objective > w.best.Objective:
		return nil // consistent has seen to it that an optimal one has no objective above its bound
	case w.tied && len(got.Antecedents) == len(w.best.Antecedents):
		return nil
	case w.tied, w.best.Less(got), w.proven() && !slices.Equal(got.Antecedents, w.best.Antecedents):
		return fmt.Errorf("%v with objective %d is called optimal; %v has %d", got.Antecedents, got.Objective, w.best.Antecedents,
			w.best.Objective)
	}
	return nil
}
