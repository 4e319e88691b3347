package crossval

import (
	"context"
	"slices"
	"sort"
	"sync"

	"parcorels/dataset"
	"parcorels/family"

	"github.com/bits-and-blooms/bitset"
	"golang.org/x/sync/errgroup"
)

// Report is what a cross-validation has found.
type Report struct {
	Options Options // with defaults filled in
	Folds   []*bitset.BitSet
	// Fits[l][f] is the fit for λ number l with fold f left out, nil if it was
	// interrupted.
	Fits [][]*Fit
}

// Run cross-validates models of a family on d. If ctx is cancelled it returns the fits
// that were done by then, and no error; see Report.Complete. The errors are
// those of the options, of mining and of the search.
func Run(ctx context.Context, d *dataset.Dataset, o Options) (*Report, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	folds, err := split(d, o)
	if err != nil {
		return nil, err
	}
	o.Folds = len(folds)
	return run(ctx, d, folds, o)
}

// run is Run on given folds. Those that are left out at the same time share workers and memory.
func run(ctx context.Context, d *dataset.Dataset, folds []*bitset.BitSet, o Options) (*Report, error) {
	r := &Report{Options: o, Folds: folds, Fits: make([][]*Fit, len(o.Lambdas))}
	for l := range r.Fits {
		r.Fits[l] = make([]*Fit, len(folds))
	}
	side := o.sideBySide()
	each := o
	if each.Workers, each.Progress = (o.Workers+side-1)/side, nil; o.Memory > 0 {
		each.Memory = max(1, o.Memory/int64(side))
	}
	group, inside := errgroup.WithContext(ctx)
	group.SetLimit(side)
	var mutex sync.Mutex
	done := 0
	for f, test := range folds {
		group.Go(func() error {
			return each.fold(inside, d, test, func(l int, fit *Fit) {
				mutex.Lock()
				defer mutex.Unlock()
				fit.Fold, r.Fits[l][f] = f, fit
				if done++; o.Done != nil {
					o.Done(fit, done)
				}
			})
		})
	}
	return r, group.Wait()
}

// fold makes the fits of a fold until ctx is cancelled: those of the smallest λ first, whose search takes longest.
func (o Options) fold(ctx context.Context, d *dataset.Dataset, test *bitset.BitSet, done func(l int, f *Fit)) error {
	order := make([]int, len(o.Lambdas))
	for l := range order {
		order[l] = l
	}
	sort.Slice(order, func(i, j int) bool { return o.Lambdas[order[i]].Less(o.Lambdas[order[j]]) })
	if ctx.Err() != nil {
		return nil
	}
	h, err := keepBack(ctx, d, test, o.Options)
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return err
	}
	p, err := family.ProblemOf(h.Set, family.Reading{}, o.Options)
	if err != nil {
		return err
	}
	for _, l := range order {
		fit, err := h.fit(ctx, p, o, o.Lambdas[l])
		if fit == nil || err != nil {
			return err
		}
		done(l, fit)
	}
	return nil
}

// Complete reports whether every fit was done.
func (r *Report) Complete() bool {
	return !slices.ContainsFunc(r.Fits, func(fits []*Fit) bool { return slices.Contains(fits, nil) })
}
