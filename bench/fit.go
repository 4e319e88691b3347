package bench

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"parcorels/bitvec"
	"parcorels/family"
	"parcorels/internal/peakmem"
	"parcorels/model"
	"parcorels/report"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/search"
	"parcorels/rules"
)

// Execute runs a case in this process and returns what came of it. The folder
// is that of the papers' data. The error says what the case has wrong, or
// ErrAbsent. A cancelled ctx ends the search.
func Execute(ctx context.Context, c Case, folder string) (out Outcome, err error) {
	if err := bitvec.KernelError(); err != nil {
		return out, err
	}
	if c.Instance == countMeasure {
		return countRates(ctx)
	}
	o, err := c.options()
	if err != nil {
		return out, err
	}
	in, err := find(c.Instance)
	if err != nil {
		return out, err
	}
	if c.Model == Trees { // all features may be splits
		in.Mining = singles
	}
	start := time.Now()
	set, err := in.load(ctx, folder)
	if err != nil {
		return out, err
	}
	read := time.Since(start)
	if out, err = c.search(ctx, set, o); err != nil {
		return out, fmt.Errorf("%s: %w", c.Instance, err)
	}
	out.SecondsRead, out.SecondsTotal = read.Seconds(), time.Since(start).Seconds()
	return out, nil
}

// options returns the options of a fit, or an error that names what the case has wrong.
func (c *Case) options() (o family.Options, err error) {
	o = family.Options{
		Lambda: c.Lambda, Depth: c.Depth, Workers: c.Workers, Nodes: c.Nodes, Memory: c.Memory,
		Time: time.Duration(c.Limit * float64(time.Second)), Software: Own,
	}
	if o.Ablation.Policy, err = search.ParsePolicy(cmp.Or(c.Policy, search.LowerBound.String())); err != nil {
		return o, err
	}
	if o.Ablation.Symmetry, err = search.ParseSymmetry(cmp.Or(c.Symmetry, search.Captured.String())); err != nil {
		return o, err
	}
	if o.Ablation.Without, err = problem.ParsePrunings(c.Without); err != nil {
		return o, err
	}
	switch {
	case c.Model == Trees && o.Ablation != (family.Ablation{}):
		return o, fmt.Errorf("model %q has no policy, symmetry or prunings", c.Model)
	case c.Model == Trees:
		o.Family = model.Tree
	case c.Model != "":
		return o, fmt.Errorf("model %q: expected %q or nothing", c.Model, Trees)
	}
	return o, o.Validate(family.Reading{})
}

// search learns a model from all samples.
func (c *Case) search(ctx context.Context, set *rules.Set, o family.Options) (out Outcome, err error) {
	start := time.Now()
	p, err := family.ProblemOf(set, family.Reading{}, o)
	if err == nil && c.Separate {
		err = p.Separate()
	}
	if err != nil {
		return out, err
	}
	reduced := time.Since(start).Seconds()
	m, stats, err := c.sideBySide(ctx, p, o)
	if err != nil {
		return out, err
	}
	found := report.Summarize(m.Model)
	if err := fill(&out, found, stats); err != nil {
		return out, err
	}
	out.Wrong, out.SecondsReduce = found.Errors/found.Weight, reduced
	return out, nil
}

// fill copies what a record keeps of a model and its search: the figures of the same names, those of the workers and
// the memory of the process.
func fill(out *Outcome, found report.Summary, stats report.Stats) error {
	for _, part := range []any{found, stats} {
		text, err := json.Marshal(part)
		if err == nil {
			err = json.Unmarshal(text, out)
		}
		if err != nil {
			return err
		}
	}
	out.Searchers, out.PeakBytes = stats.Workers, peakmem.Peak() // before other methods run
	for _, w := range stats.PerWorker {
		out.SecondsParked += w.Parked
	}
	return nil
}

// sideBySide makes one fit, or copies of it at the same time: what the machine has for as
// many workers that never wait for each other. The model is that of the first one. Its time
// is one by which the rates of all add up, and its memory that of all.
func (c *Case) sideBySide(ctx context.Context, p *family.Problem, o family.Options) (*family.Model, report.Stats, error) {
	models := make([]*family.Model, max(1, c.Copies))
	var copies errgroup.Group
	for i := range models {
		copies.Go(func() (err error) {
			models[i], err = p.Fit(ctx, o)
			return err
		})
	}
	if err := copies.Wait(); err != nil {
		return nil, report.Stats{}, err
	}
	stats := models[0].Stats()
	rate := 1 / stats.SecondsSearch
	for _, m := range models[1:] {
		rate += 1 / m.Stats().SecondsSearch
		stats.SearchBytes += m.Stats().SearchBytes
	}
	stats.SecondsSearch = float64(len(models)) / rate
	return models[0], stats, nil
}
