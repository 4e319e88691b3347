package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"golang.org/x/sync/errgroup"

	"parcorels"
	"parcorels/bitvec"
	"parcorels/crossval"
	"parcorels/internal/status"
	"parcorels/model"
	"parcorels/ratio"
	"parcorels/report"
	"parcorels/rules"
)

// Execute runs a case in this process and returns what came of it. The folder
// is that of the papers' data. The error says what the case has wrong, or
// ErrAbsent. A cancelled ctx ends the search.
func Execute(ctx context.Context, c Case, folder string) (Outcome, error) {
	return execute(ctx, c, folder, nil)
}

// execute leaves searches for rule lists to solve, if that is not nil.
func execute(ctx context.Context, c Case, folder string, solve parcorels.Solver) (Outcome, error) {
	if err := bitvec.KernelError(); err != nil {
		return Outcome{}, err
	}
	if _, ok := goBenchmarks[c.Instance]; ok {
		return runGoBenchmark(ctx, &c)
	}
	o, err := c.options()
	if err != nil {
		return Outcome{}, err
	}
	o.Solve = solve
	in, err := find(c.Instance)
	if err != nil {
		return Outcome{}, err
	}
	switch c.Model {
	case Trees: // all features may be splits
		in.mining, in.keep = rules.Options{MaxCard: 1, MinSupport: ratio.New(0, 1)}, nil
	case Sets:
		in.mining, in.keep = setMining, nil
	}
	in.reading.KeepColumns = c.Folds > 0
	start := time.Now()
	set, err := in.load(ctx, folder)
	if err != nil {
		return Outcome{}, err
	}
	read := time.Since(start)
	out, err := c.answer(ctx, set, o, in.mining)
	out.SecondsRead, out.SecondsTotal = read.Seconds(), time.Since(start).Seconds()
	if err != nil {
		return out, fmt.Errorf("%s: %w", c.Instance, err)
	}
	return out, nil
}

// answer learns a model from all samples, or one from the training part of each fold.
func (c *Case) answer(ctx context.Context, set *rules.Set, o parcorels.Options, mining rules.Options) (Outcome, error) {
	switch {
	case c.Model == Bayesian:
		return c.searchBayes(ctx, set, o, mining)
	case c.Folds == 0:
		return c.search(ctx, set, o)
	case c.Model == Sets:
		return c.validateSets(ctx, set, o)
	}
	return c.validate(ctx, set, crossval.Models{Options: o}, o, mining)
}

// search reduces and searches.
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
	reduced := time.Since(start)
	var t tracer
	if c.Traced {
		o.Progress, o.ProgressEvery = t.look, traceEvery
	}
	m, stats, err := c.sideBySide(ctx, p, o)
	if err != nil {
		return out, err
	}
	s := report.Summarize(m.Model)
	out = Outcome{Status: Status(s.Status.String()), Found: found(s), Active: stats.Kernel, Trace: t.points, MaxQueue: t.mostQueued}
	if out.Effort, err = effort(stats); err != nil {
		return out, err
	}
	out.SecondsReduce = reduced.Seconds()
	switch {
	case c.Model == Sets:
		if out.Status != timeLimit {
			out.Status = Done
		}
		out.Measures = setMeasures(set, m.Model, m.Antecedents())
	case c.Model == Bayesian:
		if out.Status == Status(status.NodeLimit.String()) {
			out.Status = Done
		}
		if c.Lambda == "" {
			out.LambdaText = o.Length
		}
	case c.Beside == greedy:
		err = out.besideGreedy(set, s.Lambda)
	}
	return out, err
}

// sideBySide makes one fit, or copies of it at the same time: what the machine has for as
// many workers that never wait for each other. The model is that of the first one. Its time
// is one by which the rates of all add up, and its memory that of all.
func (c *Case) sideBySide(ctx context.Context, p *parcorels.Problem, o parcorels.Options) (*parcorels.Model, report.Stats, error) {
	models := make([]*parcorels.Model, max(1, c.Copies))
	var copies errgroup.Group
	for i := range models {
		o := o
		if i > 0 {
			o.Progress = nil // the trace is that of the first search
		}
		copies.Go(func() (err error) {
			models[i], err = p.Fit(ctx, o)
			return err
		})
	}
	if err := copies.Wait(); err != nil {
		return nil, report.Stats{}, err
	}
	stats := models[0].Stats()
	if len(models) > 1 {
		rates, bytes := 0., int64(0)
		for _, m := range models {
			rates += 1 / m.Stats().SecondsSearch
			bytes += m.Stats().SearchBytes
		}
		stats.SecondsSearch, stats.SearchBytes = float64(len(models))/rates, bytes
	}
	return models[0], stats, nil
}

// modelFamilies are the families by the Model of a case.
var modelFamilies = map[string]model.Family{"": model.RuleList, Trees: model.Tree, Sets: model.RuleSet, Bayesian: model.BayesianRuleList}

// mostRules is K of the rule set paper, which does not limit literals.
const (
	mostRules    = 16
	mostLiterals = 1024
)

// options returns the options of a fit, or an error that names what the case has wrong.
func (c *Case) options() (o parcorels.Options, err error) {
	o = parcorels.Options{
		Family: modelFamilies[c.Model], Lambda: c.Lambda, Depth: c.Depth, Beta2: c.Beta2, MaxRules: c.MaxRules,
		Policy: c.Policy, Symmetry: c.Symmetry, Without: c.Without,
		Workers: c.Workers, Nodes: c.Nodes, Memory: c.Memory, Time: time.Duration(c.Limit * float64(time.Second)), Software: Own,
	}
	switch {
	case o.Family == "":
		return o, fmt.Errorf("model %q: expected %q, %q, %q or nothing", c.Model, Trees, Sets, Bayesian)
	case c.Separate && c.Model != "":
		return o, fmt.Errorf("separate points are for rule lists")
	case c.Copies > 1 && (c.Model == Sets || c.Model == Bayesian):
		return o, fmt.Errorf("copies are for rule lists and trees")
	case c.Model == Bayesian:
		o.Lambda, o.Without = "", "" // its bounds have names of their own
		if o.Length = c.Lambda; c.Lambda == "" {
			o.Length = firstLength
		}
		if c.Folds > 0 {
			o.Chains, o.Iterations = paperChains, paperIterations
		}
	case c.Lambda == "" && !(c.Model == Sets && c.Folds > 0):
		return o, fmt.Errorf("λ is missing")
	case c.Model == Sets:
		o.Rules, o.Literals = mostRules, mostLiterals
	}
	return o, o.Validate(parcorels.Reading{})
}

// Request is what the hidden command reads: a line of JSON.
type Request struct {
	Case Case   `json:"case"`
	Data string `json:"data"`
}

// Reply is what it prints.
type Reply struct {
	Outcome
	PeakBytes int64 `json:"peak_bytes"`
}

// Serve is the hidden command: it reads a request, has its memory bounded, runs
// it and prints the reply, with what peak then returns. It ends early when in ends, as it does when its parent is gone.
func Serve(ctx context.Context, in io.Reader, out io.Writer, bound func(*Case), peak func() int64) error {
	lines := json.NewDecoder(in)
	var q Request
	if err := lines.Decode(&q); err != nil {
		return fmt.Errorf("stdin holds no case: %w", err)
	}
	bound(&q.Case)
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		_, _ = io.Copy(io.Discard, io.MultiReader(lines.Buffered(), in))
		cancel(errOrphan)
	}()
	o, err := Execute(ctx, q.Case, q.Data)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(Reply{o, peak()})
}

var errOrphan = errors.New("the process that asked is gone")

// A trace is made by the monitor of the search from what the workers count
// anyway: they do nothing for it.

const (
	traceEvery  = time.Millisecond
	traceGrowth = 1.05 // least ratio of the times of two points between which nothing improved
)

// tracer keeps the looks at a search that a plot needs: every improvement of
// the objective, and otherwise points whose times grow by a few per cent.
type tracer struct {
	points     []TracePoint
	mostQueued int64
}

// look keeps a look if it tells something, or is the final one.
func (t *tracer) look(e parcorels.Event) {
	t.mostQueued = max(t.mostQueued, e.Open)
	p := TracePoint{
		Seconds: rounded(e.Elapsed.Seconds(), 1e6), Objective: rounded(e.Value, 1e9), Bound: rounded(e.Bound, 1e9),
		LogRemain: rounded(e.LogRemain, 1e3), Queue: e.QueuedByLength,
	}
	if n := len(t.points); n > 0 && !e.Final {
		last := &t.points[n-1]
		if last.Objective == p.Objective && p.Seconds < last.Seconds*traceGrowth {
			return
		}
	}
	t.points = append(t.points, p)
}

// rounded keeps records short.
func rounded(x, per float64) float64 { return math.Round(x*per) / per }
