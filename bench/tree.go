package bench

import (
	"context"
	"fmt"
	"math"
	"parcorels"
	"parcorels/model"
	"strconv"
	"time"

	"parcorels/crossval"
	"parcorels/instance"
	"parcorels/ratio"
	"parcorels/report"
	"parcorels/rules"
	"parcorels/tree"
	"parcorels/tree/search"
)

// Trees is the Model of a case whose answer is the optimal decision tree.
const Trees = "tree"

// treeOptions returns the options of a search for a tree, or an error that names
// what the case has wrong.
func (c *Case) treeOptions() (o search.Options, err error) {
	if c.Policy != "" || c.Symmetry != "" || c.Without != "" || c.Separate {
		return o, fmt.Errorf("policy, symmetry, prunings and separate points are for rule lists")
	}
	if o.Lambda, err = c.price(); err != nil {
		return o, err
	}
	o.Depth, o.Workers, o.Nodes, o.Memory = c.Depth, c.Workers, c.Nodes, c.Memory
	o.Time = time.Duration(c.Limit * float64(time.Second))
	return o, o.Validate()
}

// searchTree reads, reduces and searches for a tree, or for one in the training part of
// each fold. All features may be splits.
func (c *Case) searchTree(ctx context.Context, in Instance, folder string) (out Outcome, err error) {
	o, err := c.treeOptions()
	if err != nil {
		return out, err
	}
	in.mining, in.keep = rules.Options{MaxCard: 1, MinSupport: ratio.New(0, 1)}, nil
	if c.Folds > 0 {
		in.reading.KeepColumns = true
		return in.timed(ctx, folder, func(set *rules.Set) (Outcome, error) {
			return c.validate(ctx, set, crossval.Models{Options: parcorels.Options{Family: model.Tree, Depth: o.Depth}}, o.Lambda, in.mining)
		})
	}
	start := time.Now()
	set, err := in.load(ctx, folder)
	if err != nil {
		return out, err
	}
	read := time.Now()
	points, err := instance.PointsFromSet(set)
	if err != nil {
		return out, fmt.Errorf("%s: %w", c.Instance, err)
	}
	reduced := time.Now()
	var t tracer
	if c.Traced {
		o.ProgressEvery = traceEvery
		o.Progress = func(p search.Progress) {
			t.add(p.Final, TracePoint{Seconds: p.Elapsed.Seconds(), Objective: p.Value, Bound: p.Bound})
		}
	}
	r, err := c.solveTree(ctx, points, o)
	if err != nil {
		return out, fmt.Errorf("%s: %w", c.Instance, err)
	}
	m, err := tree.New(set, r.Tree, tree.Meta{
		Software: Own, Status: r.Status, Lambda: o.Lambda, MaxDepth: o.Depth, Objective: r.Objective, LowerBound: r.LowerBound,
	})
	if err != nil {
		return out, fmt.Errorf("%s: %w", c.Instance, err)
	}
	out = Outcome{Status: searched(r.Status), Found: found(report.Summarize(m)), Effort: effort(report.TreeStats(points, r)), Active: r.Stats.Kernel, Trace: t.points}
	out.Points = r.Stats.Points // that cost anything
	out.SecondsRead, out.SecondsReduce = read.Sub(start).Seconds(), reduced.Sub(read).Seconds()
	out.SecondsTotal = time.Since(start).Seconds()
	if c.Beside == greedy {
		out.besideGreedy(points, o.Lambda, r)
	}
	return out, nil
}

func (c *Case) solveTree(ctx context.Context, p *instance.Points, o search.Options) (*search.Result, error) {
	return sideBySide(max(1, c.Copies), func(first bool) (*search.Result, error) {
		o := o
		if !first {
			o.Progress = nil // the trace is that of the first search
		}
		return search.Solve(ctx, p, o)
	}, func(r **search.Result) (*time.Duration, *int64) { return &(*r).Stats.Search, &(*r).Stats.PeakBytes })
}

// The tables of trees.

// treeTable has a row for each case, and beside it every other solver.
func treeTable(list []*summary) *table {
	t := newTable("data", "λ", "depth", "objective", "leaves", "seconds", "range", "runs", "counts", "sets", "process MB")
	others := t.addSolvers(list, "ratio of searches", searchRatio)
	for _, s := range list {
		if s.Solver != Own {
			continue
		}
		if s.failed() {
			t.add(s.Instance, shortLambda(s.Lambda), s.depth(), "", "", "failed")
			continue
		}
		t.add(append([]string{
			s.Instance, shortLambda(s.Lambda), s.depth(), s.objective(), strconv.Itoa(s.Length), s.time(), s.span(searchSeconds),
			strconv.Itoa(len(s.runs)), count(int64(s.median(expanded))), count(s.MapEntries), figure(s.median(peakBytes) / 1e6),
		}, others(s)...)...)
	}
	return t
}

func (s *summary) depth() string {
	if s.Depth == 0 {
		return "any"
	}
	return strconv.Itoa(s.Depth)
}

func share(x float64) string {
	return strconv.FormatFloat(math.Round(1e4*x)/100+0, 'f', 2, 64) + "%" // + 0: no −0
}

// measure returns a measure of the first run by its name.
func (s *summary) measure(name string) (m Measure) {
	for _, m := range s.Measures {
		if m.Name == name {
			return m
		}
	}
	return m
}
