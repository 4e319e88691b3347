package bench

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"parcorels"
	"parcorels/bitvec"
	"parcorels/crossval"
	"parcorels/internal/peakmem"
	"parcorels/internal/status"
	"parcorels/model"
	"parcorels/ratio"
	"parcorels/report"
	"parcorels/rules"
)

// Execute runs a case in this process and returns what came of it. The folder
// is that of the papers' data. The error says what the case has wrong, or
// ErrAbsent. A cancelled ctx ends the search. Searches for rule lists are left to solve, if that is not nil.
func Execute(ctx context.Context, c Case, folder string, solve parcorels.Solver) (out Outcome, err error) {
	if err := bitvec.KernelError(); err != nil {
		return out, err
	}
	if _, ok := goBenchmarks[c.Instance]; ok {
		return runGoBenchmark(ctx, &c)
	}
	o, err := c.options()
	if err != nil {
		return out, err
	}
	o.Solve = solve
	in, err := find(c.Instance)
	if err != nil {
		return out, err
	}
	switch c.Model {
	case Trees: // all features may be splits
		in.Mining = singles
	case Sets: // features and their negations, as in the paper
		in.Mining = singles
		in.Mining.Negations = true
	}
	in.Reading.KeepColumns = c.Folds > 0
	start := time.Now()
	set, err := in.load(ctx, folder)
	if err != nil {
		return out, err
	}
	read := time.Since(start)
	strongest(set, c.Keep)
	if c.Folds == 0 {
		out, err = c.search(ctx, set, o)
	} else {
		out, err = c.validate(ctx, set, o, in.Mining)
	}
	if err != nil {
		return out, fmt.Errorf("%s: %w", c.Instance, err)
	}
	out.SecondsRead, out.SecondsTotal = read.Seconds(), time.Since(start).Seconds()
	return out, nil
}

// modelFamilies are the families by the Model of a case.
var modelFamilies = map[string]model.Family{"": model.RuleList, Trees: model.Tree, Sets: model.RuleSet, Bayesian: model.BayesianRuleList}

// What the papers on rule sets and Bayesian lists use: K, which does not limit literals; the chains; and the expected number of
// rules of the list whose length becomes λ.
const (
	paperRules      = 16
	mostLiterals    = 1024
	paperChains     = 20
	paperIterations = 5000
	firstLength     = "5"
)

// options returns the options of a fit, or an error that names what the case has wrong.
func (c *Case) options() (o parcorels.Options, err error) {
	o = parcorels.Options{
		Family: modelFamilies[c.Model], Lambda: c.Lambda, Depth: c.Depth, Beta2: c.Beta2, MaxRules: c.MaxRules,
		Policy: c.Policy, Symmetry: c.Symmetry, Without: c.Without,
		Workers: c.Workers, Nodes: c.Nodes, Memory: c.Memory, Time: time.Duration(c.Limit * float64(time.Second)), Software: Own,
	}
	if o.Family == "" {
		return o, fmt.Errorf("model %q: expected %q, %q, %q or nothing", c.Model, Trees, Sets, Bayesian)
	}
	switch c.Model {
	case Sets:
		o.Rules, o.Literals = paperRules, mostLiterals
	case Bayesian:
		o.Length = cmp.Or(c.Lambda, firstLength)
		o.Lambda, o.Without = "", "" // its bounds have names of their own
		if c.Folds > 0 {
			o.Chains, o.Iterations = paperChains, paperIterations
		}
	}
	return o, o.Validate(parcorels.Reading{})
}

// search learns a model from all samples.
func (c *Case) search(ctx context.Context, set *rules.Set, o parcorels.Options) (out Outcome, err error) {
	start := time.Now()
	p, err := parcorels.ProblemOf(set, parcorels.Reading{}, o)
	if err == nil && c.Separate {
		err = p.Separate()
	}
	if err == nil && c.Model == Bayesian {
		err = p.WithoutBounds(c.Without)
	}
	if err != nil {
		return out, err
	}
	reduced := time.Since(start).Seconds()
	var t tracer
	if c.Traced {
		o.Progress, o.ProgressEvery = t.look, time.Millisecond
	}
	m, stats, err := c.sideBySide(ctx, p, o)
	if err != nil {
		return out, err
	}
	found := report.Summarize(m.Model)
	if err := fill(&out, found, stats); err != nil {
		return out, err
	}
	out.Wrong, out.SecondsReduce, out.Trace, out.MaxQueue = found.Errors/found.Weight, reduced, t.points, t.mostQueued
	switch {
	case c.Model == Sets:
		if out.Status != timeLimit {
			out.Status = Done
		}
		out.Measures = setMeasures(set, m.Model, m.Antecedents())
	case c.Model == Bayesian:
		if out.Status == Status(status.NodeLimit.String()) { // the chains and the local search have ended
			out.Status = Done
		}
	case c.Beside == greedy:
		out.Measures = besideGreedy(set.Data, out.Length, found.Lambda)
	}
	return out, err
}

// fill copies what a record keeps of a model and its search: the figures of the same names, those of the workers and the memory of the process.
func fill(out *Outcome, found report.Summary, stats report.Stats) error {
	stats.Trace = nil // records have their own
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
func (c *Case) sideBySide(ctx context.Context, p *parcorels.Problem, o parcorels.Options) (*parcorels.Model, report.Stats, error) {
	models := make([]*parcorels.Model, max(1, c.Copies))
	var copies errgroup.Group
	for i := range models {
		copies.Go(func() (err error) {
			o := o
			if i > 0 {
				o.Progress = nil // the trace is that of the first search
			}
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

// tracer keeps the looks at a search that a plot needs. They are made by the monitor of the search from what the
// workers count anyway: they do nothing for it.
type tracer struct {
	points     []TracePoint
	mostQueued int64
}

const traceGrowth = 1.05 // least ratio of the times of two points between which nothing improved

// look keeps a look if the objective has improved, if its time has grown by a few per cent, or if it is the final one.
func (t *tracer) look(e parcorels.Event) {
	t.mostQueued = max(t.mostQueued, e.Open)
	p := TracePoint{e.Elapsed.Seconds(), e.Value, e.Bound, e.LogRemain, e.QueuedByLength}
	if n := len(t.points); n > 0 && !e.Final {
		last := &t.points[n-1]
		if last.Objective == p.Objective && p.Seconds < last.Seconds*traceGrowth {
			return
		}
	}
	t.points = append(t.points, p)
}

// The measures of a cross-validation: means over the folds. Those with the deviation behind the name are deviations.
const (
	accuracy  = "accuracy"
	deviation = " deviation"
	training  = "training accuracy"
	length    = "rules" // or leaves
)

// foldSeed deals the samples into folds.
const foldSeed = 1

// validate learns models from the training parts of folds, with the λ of the options or one that is chosen. The seconds are those of the
// search, the mean of the folds.
func (c *Case) validate(ctx context.Context, set *rules.Set, o parcorels.Options, mining rules.Options) (out Outcome, err error) {
	if c.Model == Bayesian && c.Lambda == "" { // as the paper does: the length of a list that is learned from all samples
		list, err := c.search(ctx, set, o)
		if err != nil {
			return out, err
		}
		o.Length = strconv.Itoa(max(1, list.Length))
		out.Chosen = o.Length
	}
	lambda, err := o.Price()
	if err != nil {
		return out, err
	}
	family := &sets{Models: crossval.Models{Options: o}, choose: c.Lambda == "", mining: mining}
	r, err := crossval.Run(ctx, set.Data, crossval.Options{
		Family: family.of(c.Model), Lambdas: []ratio.Ratio{lambda}, Folds: c.Folds, Seed: foldSeed, Mining: mining,
		Limits: crossval.Limits{Workers: 1, Time: o.Time, Nodes: c.Nodes},
	})
	if err == nil && !r.Complete() {
		err = context.Canceled
	}
	if err != nil {
		return out, err
	}
	s := r.Summaries()[0]
	out.Status, out.SecondsSearch = Done, s.Seconds.Mean
	out.Samples, out.Antecedents = int64(set.Data.N), len(set.Antecedents)
	out.Measures = map[string]float64{}
	for name, values := range family.folds {
		out.Measures[name] = crossval.EstimateOf(values).Mean
	}
	out.Measures[length] = s.Length.Mean
	out.estimate(accuracy, s.Measured.Accuracy)
	out.estimate("AUC", s.Measured.AUC)
	out.estimate(training, s.Train.Accuracy)
	switch c.Beside {
	case greedy:
		out.greedyFolds(set.Data, r)
	case learned:
		err = out.scikit(ctx, set.Data, r.Folds)
	}
	return out, err
}

// estimate adds a measure with its deviation over the folds.
func (o *Outcome) estimate(name string, e crossval.Estimate) {
	o.Measures[name], o.Measures[name+deviation] = e.Mean, e.Deviation
}

// strongest keeps the n antecedents of a set that say most of the class (information
// gain), in their order. Of equal ones the first are kept.
func strongest(set *rules.Set, n int) {
	all := set.Antecedents
	if n == 0 || n >= len(all) {
		return
	}
	total, ones := float64(set.Data.N), float64(set.Data.Labels.Count())
	left := make([]float64, len(all)) // uncertainty, by antecedent
	order := make([]int, len(all))
	for i, a := range all {
		in, in1 := float64(a.Captured().Count()), float64(a.Captured().IntersectionCardinality(set.Data.Labels))
		order[i], left[i] = i, uncertainty(in1, in-in1)+uncertainty(ones-in1, total-in-(ones-in1))
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(left[a], left[b]) })
	set.Antecedents = nil
	for _, i := range slices.Sorted(slices.Values(order[:n])) {
		set.Antecedents = append(set.Antecedents, all[i])
	}
}

// uncertainty is the entropy of the classes of a + b samples, times their number.
func uncertainty(a, b float64) float64 {
	if a == 0 || b == 0 {
		return 0
	}
	return -a*math.Log(a/(a+b)) - b*math.Log(b/(a+b))
}
