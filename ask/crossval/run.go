package crossval

import (
	"context"
	"slices"
	"sort"
	"sync"

	"parcorels/dataset"

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

// run is Run on given folds.
func run(ctx context.Context, d *dataset.Dataset, folds []*bitset.BitSet, o Options) (*Report, error) {
	r := &Report{Options: o, Folds: folds, Fits: make([][]*Fit, len(o.Lambdas))}
	for l := range r.Fits {
		r.Fits[l] = make([]*Fit, len(folds))
	}
	parts := make([]*part, len(folds))
	for f := range folds {
		parts[f] = newPart(d, folds, f, o)
	}
	var mutex sync.Mutex
	done := 0
	err := share(ctx, r.jobs(), o.Workers, func(ctx context.Context, j job, workers int) error {
		fit, err := parts[j.fold].fit(ctx, o.Lambdas[j.lambda], workers)
		if fit == nil || err != nil {
			return err
		}
		mutex.Lock()
		defer mutex.Unlock()
		r.Fits[j.lambda][j.fold] = fit
		if done++; o.Done != nil {
			o.Done(fit, done)
		}
		return nil
	})
	return r, err
}

// Complete reports whether every fit was done.
func (r *Report) Complete() bool {
	return !slices.ContainsFunc(r.Fits, func(fits []*Fit) bool { return slices.Contains(fits, nil) })
}

// job is a fit that is to be made.
type job struct{ fold, lambda int }

// jobs returns all of them, fold by fold, so that few training parts are in memory at
// the same time. Those of the smallest λ, whose search takes longest, come first, so
// that none of the long ones is left alone at the end.
func (r *Report) jobs() []job {
	var list []job
	for f := range r.Folds {
		for l := range r.Options.Lambdas {
			list = append(list, job{f, l})
		}
	}
	sort.SliceStable(list, func(i, j int) bool {
		a, b := list[i], list[j]
		return a.fold < b.fold || a.fold == b.fold && r.Options.Lambdas[a.lambda].Less(r.Options.Lambdas[b.lambda])
	})
	return list
}

// share calls work for every job, in their order, with never more than the
// given workers in all. A job gets one worker while there are more jobs than
// workers, and its part of those that are free when there are fewer. It returns
// the first error, which cancels the context of the others.
func share(ctx context.Context, jobs []job, workers int, work func(context.Context, job, int) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var group errgroup.Group
	freed := make(chan int, len(jobs)) // every job sends once, none waits
	free := max(1, workers)            // none would wait for ever
	for i, j := range jobs {
		for free == 0 {
			free += <-freed
		}
		mine := max(1, free/(len(jobs)-i))
		free -= mine
		group.Go(func() error {
			err := work(ctx, j, mine)
			if err != nil {
				cancel() // before the next one begins
			}
			freed <- mine
			return err
		})
	}
	return group.Wait()
}
