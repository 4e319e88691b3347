// Package numeric finds the optimal decision tree over all thresholds of columns of numbers, and
// proves that no tree is better.
//
// A split divides a set of samples at a place in the order of one column. Samples in front
// of the place go to the left. A flag is a column of two values. The objective is errors /
// total weight + λ · leaves. [Solve] returns the smallest of all trees of a depth at most
// [Options.Depth]. Trees are ordered by objective, then leaves, then splits in preorder,
// the left side first. Splits are compared by column and then by place. A leaf comes before
// any split. The answer does not depend on workers or timing.
//
// Begin with [NewTable] and [Solve]. Then read these files. state.go has the types that all share. set.go bounds the places
// between two others. deep.go has the recursion over sets. outline.go says what sets tell
// about each other. sweep.go solves sets with two levels left, which takes nearly all
// the time; rough.go has faster bounds for large weights. extract.go chooses among equal trees.
//
// The sets at the bottom are solved in O(F²·(n + cells)) for F columns, and not in the square of
// the number of thresholds. Related: Briţa, van der Linden and Demirović, Optimal
// Classification Trees for Continuous Feature Data Using Dynamic Programming with
// Branch-and-Bound (AAAI 2025), whose bounds between neighbouring thresholds set.go widens.
package numeric

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"time"

	"parcorels/optionerr"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/tree/price"
)

// Validate reports the first option that is out of range, as a *optionerr.Error.
func (o Options) Validate() error {
	switch {
	case !o.Lambda.Valid() || o.Lambda.Num < 0:
		return optionerr.Bad("Lambda", o.Lambda, "a number from 0 on")
	case o.Proof != nil && o.Proof.Writer() == nil:
		return optionerr.Errorf("Proof", "option Proof has nowhere to write to")
	case o.Proof != nil && o.Depth == 0:
		return optionerr.Errorf("Proof", "option Proof needs option Depth: a proof about trees of any depth over all thresholds would "+
			"have no end")
	case o.Depth < 0:
		return optionerr.Bad("Depth", o.Depth, "a number from 1 on (0: no limit)")
	}
	return optionerr.Limits{Workers: o.Workers, Time: o.Time, Nodes: o.Nodes}.Check(parallel.MaxWorkers)
}

// Leaves returns the number of leaves.
func (t Tree) Leaves() int { return (len(t) + 1) / 2 }

// newPrices returns the prices of trees of a table, which err by worst as one leaf. Bounds of places take
// the weight between two places times the unit off a value (set.go). That weight may be far more
// than worst, where one class is heavy. So values fit if the whole sum errs, too. A checker asks
// for the same.
func newPrices(t *Table, lambda ratio.Ratio, worst int64) (price.Prices, error) {
	p, err := price.New(lambda, t.Total, t.Base, worst, t.Items())
	if err != nil {
		return p, err
	}
	errors, ok1 := price.Product(p.Unit, t.sum)
	leaves, ok2 := price.Product(p.Price, 8)
	if !ok1 || !ok2 || errors+leaves >= price.Far {
		return p, &price.ErrScale{Total: t.Total, Num: lambda.Num, Den: lambda.Den}
	}
	return p, nil
}

// Solve finds the optimal tree of the table, or the best one until a limit of o or the end of
// ctx. Without a limit on the depth it searches trees of one level more after the other. It
// returns a *optionerr.Error for bad options, and a *price.ErrScale when weights and λ take too many
// digits.
func Solve(ctx context.Context, t *Table, o Options) (*Result, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o.Workers, o.ProgressEvery = cmp.Or(o.Workers, runtime.GOMAXPROCS(0)), cmp.Or(max(o.ProgressEvery, 0), time.Second)
	s := &search{o: o, start: time.Now(), table: t, workers: make([]*worker, o.Workers)}
	s.plain = t.sum == int64(len(t.weight))
	s.root = t.all(o.Workers)
	var err error
	if s.Prices, err = newPrices(t, o.Lambda, t.sum-slices.Max(s.root.classes)); err != nil {
		return nil, err
	}
	s.run = parallel.NewRun(parallel.Limits{Workers: o.Workers, Start: s.start, Time: o.Time, Nodes: o.Nodes})
	s.first()
	s.run.Do(ctx, s.watch(), func(i int) {
		if s.workers[i] == nil {
			s.workers[i] = s.newWorker(i)
		}
		s.workers[i].all()
	})
	if s.stage != nil { // the run may have ended early
		s.workers[0].endTwo()
	}
	r := s.result()
	if o.Progress != nil {
		p := s.progress()
		p.Final, p.Length, p.Value, p.Bound = true, r.Tree.Leaves(), s.Share(r.Objective), s.Share(r.LowerBound)
		o.Progress(p)
	}
	return r, nil
}
