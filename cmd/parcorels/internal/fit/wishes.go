package fit

import (
	"context"
	"fmt"
	"parcorels/answer"
	"parcorels/ask/fair"
	"parcorels/cmd/parcorels/internal/process"
	"parcorels/family"
	"parcorels/internal/wording"
	"parcorels/parallel"
	"parcorels/report"
	"time"
)

// compareWishes finds the best model without the wishes, and says at the end of the text what
// they cost.
func (f *Run) compareWishes(ctx context.Context) error {
	r, o := f.Reading, f.Options
	r.Ignore, o.First, o.Forbid, o.MinRows, o.Increasing, o.Decreasing = nil, nil, nil, 0, nil, nil
	o.Memory = f.Memory.Search(o.Memory)
	best, err := process.Await(ctx, func() (*family.Model, error) {
		data, err := family.Read(f.path, r)
		if err != nil {
			return nil, err
		}
		return family.Fit(ctx, data, o)
	})
	if err != nil {
		return fmt.Errorf("%s: without the wishes: %w", wording.Escape(f.path), err)
	}
	f.ending += answer.Wishes(f.Model, best)
	f.compared = new(report.Summarize(best))
	return nil
}

// solve finds the best model of all, or within the limits.
func (f *Run) solve(ctx context.Context, o family.Options) (err error) {
	if f.Limits == nil {
		f.Model, err = f.Problem.Fit(ctx, o)
		return err
	}
	start := time.Now()
	o.Progress = nil // of searches whose models may be beyond the limits
	limits := *f.Limits
	limits.Options = o
	if f.within, err = fair.Ask(ctx, f.Problem, limits); err != nil {
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
	x := answer.NewFair(string(f.Family.Kind)+f.Options.RestrictionText(), f.within, f.Limits.Limits, f.GroupName)
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
