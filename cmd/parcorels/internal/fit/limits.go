package fit

import (
	"context"
	"time"

	"parcorels/answer"
	"parcorels/ask/fair"
	"parcorels/family"
	"parcorels/family/rates"
	"parcorels/parallel"
	"parcorels/report"
)

// Limits are what a model keeps: of a group and the others, or an operating point.
type Limits struct {
	Of    []fair.Limit
	Group rates.Group // as it is given
	Name  string      // what people call the group
}

// solve finds the best model of all, or within the limits.
func (f *Run) solve(ctx context.Context, o family.Options) (err error) {
	if f.Limits == nil {
		f.Model, err = f.Problem.Fit(ctx, o)
		return err
	}
	start := time.Now()
	o.Progress = nil // of searches whose models may be beyond the limits
	if f.within, err = fair.Ask(ctx, f.Problem, fair.Options{Options: o, Group: f.Limits.Group, Limits: f.Limits.Of}); err != nil {
		return err
	}
	f.Model, f.took = f.within.Model, time.Since(start)
	f.Model.Search.Proved, f.stopped = f.within.Proved, ctx.Err() != nil && !f.within.Proved
	return nil
}

// interrupted reports whether somebody ended the search.
func (f *Run) interrupted() bool {
	return f.stopped || f.Model.Certificate().Status == parallel.Interrupted
}

// limited says what was found within the limits.
func (f *Run) limited() *answer.Fair {
	w := f.within
	x := &answer.Fair{
		Kind: string(f.Family.Kind) + f.Options.RestrictionText(), Part: w.Certificate().Part, Weighed: w.Weighed, Group: f.Limits.Name,
		Proved: w.Proved, Bound: w.Bound, FairModel: answer.FairModelOf(w.Model),
		Unconstrained: answer.FairFree{FairModel: answer.FairModelOf(w.Best), Rates: w.BestRates},
	}
	for i, l := range f.Limits.Of {
		x.Limits = append(x.Limits, answer.FairLimit{Measure: l.Measure, Most: l.Most.Float(), Rate: w.Rates[i]})
	}
	if f.KeptBack != nil {
		x.Unseen(f.KeptBack)
	}
	return x
}

// limitedObject is the result of a fit with what is said of the limits.
func (f *Run) limitedObject(r report.Result) any {
	unproved := parallel.TimeLimit
	if f.stopped {
		unproved = parallel.Interrupted
	}
	r.Stats.SecondsSearch = report.Seconds(f.took)
	answer.Within(&r, f.within, unproved)
	return struct {
		report.Result
		Fair *answer.Fair `json:"fair"`
	}{r, f.limited()}
}

// limitedText is what fit prints of it.
func (f *Run) limitedText() string {
	return f.limited().Describe(f.took, f.stopped, f.within.Best.Certificate().Status == parallel.Optimal) + f.ending
}
