package bench

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"parcorels/bitvec"
	"parcorels/dataset"
	"parcorels/instance"
	"parcorels/report"
	"parcorels/rulelist/search"
	"parcorels/rules"
)

// Execute runs a case in this process and returns what came of it. The folder
// is that of the papers' data. The error says what the case has wrong, or
// ErrAbsent. A cancelled ctx ends the search.
func Execute(ctx context.Context, c Case, folder string) (Outcome, error) {
	if err := bitvec.KernelError(); err != nil {
		return Outcome{}, err
	}
	if m, ok := measures[c.Instance]; ok {
		return m.run(ctx)
	}
	if err := c.check(); err != nil {
		return Outcome{}, err
	}
	in, err := find(c.Instance)
	if err != nil {
		return Outcome{}, err
	}
	switch c.Model {
	case Trees:
		return c.searchTree(ctx, in, folder)
	case Sets:
		return c.searchSet(ctx, in, folder)
	case Bayesian:
		return c.searchBayes(ctx, in, folder)
	}
	return c.search(ctx, in, folder)
}

// search reads, reduces and searches.
func (c *Case) search(ctx context.Context, in Instance, folder string) (Outcome, error) {
	o, err := c.options()
	if err != nil {
		return Outcome{}, err
	}
	start := time.Now()
	set, err := in.load(ctx, folder)
	if err != nil {
		return Outcome{}, err
	}
	read := time.Now()
	problem, err := c.reduce(set)
	if err != nil {
		return Outcome{}, fmt.Errorf("%s: %w", c.Instance, err)
	}
	reduced := time.Now()
	var t tracer
	if c.Traced {
		o.Progress, o.ProgressEvery = t.look, traceEvery
	}
	r, err := c.solve(ctx, problem, o)
	if err != nil {
		return Outcome{}, fmt.Errorf("%s: %w", c.Instance, err)
	}
	out := Outcome{Status: searched(r.Status), Effort: effort(report.SearchStats(problem, &r.Stats)), Active: r.Stats.Kernel, Trace: t.points, MaxQueue: t.mostQueued}
	out.SecondsRead, out.SecondsReduce = read.Sub(start).Seconds(), reduced.Sub(read).Seconds()
	out.SecondsTotal = time.Since(start).Seconds()
	m, err := r.Model(set, o.Lambda, Own, dataset.Options{})
	if err != nil {
		return out, fmt.Errorf("%s: %w", c.Instance, err)
	}
	out.Found = found(report.Summarize(m))
	return out, nil
}

// solve makes one search, or copies of it side by side: what the machine has for
// as many workers that never wait for each other.
func (c *Case) solve(ctx context.Context, in *instance.Instance, o search.Options) (search.Result, error) {
	return sideBySide(max(1, c.Copies), func(first bool) (search.Result, error) {
		o := o
		if !first {
			o.Progress = nil // the trace is that of the first search
		}
		return search.Solve(ctx, in, o)
	}, func(r *search.Result) (*time.Duration, *int64) { return &r.Stats.Search, &r.Stats.PeakBytes })
}

// sideBySide makes n searches at the same time. The result is that of the first one, with a
// time by which their rates add up and the memory of all; spent returns where a
// result has these.
func sideBySide[R any](n int, solve func(first bool) (R, error), spent func(*R) (*time.Duration, *int64)) (r R, err error) {
	results := make([]R, n)
	var copies errgroup.Group
	for i := range results {
		copies.Go(func() (err error) {
			results[i], err = solve(i == 0)
			return err
		})
	}
	if err = copies.Wait(); err != nil || n == 1 {
		return results[0], err
	}
	rates, bytes := 0., int64(0)
	for i := range results {
		took, memory := spent(&results[i])
		rates += 1 / took.Seconds()
		bytes += *memory
	}
	together, memory := spent(&results[0])
	*together, *memory = time.Duration(float64(n)/rates*float64(time.Second)), bytes
	return results[0], nil
}

// timed loads an instance and makes an answer of it, and notes how long each took.
func (in Instance) timed(ctx context.Context, folder string, answer func(*rules.Set) (Outcome, error)) (Outcome, error) {
	start := time.Now()
	set, err := in.load(ctx, folder)
	if err != nil {
		return Outcome{}, err
	}
	read := time.Now()
	out, err := answer(set)
	out.SecondsRead, out.SecondsTotal = read.Sub(start).Seconds(), time.Since(start).Seconds()
	return out, err
}

func (c *Case) reduce(set *rules.Set) (*instance.Instance, error) {
	if c.Separate {
		return instance.FromSetSeparate(set)
	}
	return instance.FromSet(set)
}
