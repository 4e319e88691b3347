package bench

import (
	"context"
	"fmt"
	"sync"

	"golang.org/x/sync/errgroup"

	"parcorels"
)

// Elsewhere runs each case once in this process, so many at the same time, and leaves its searches for
// rule lists to solve, as on several machines. Its seconds are those of reading, reducing and searching,
// without those of waiting. It returns the errors of Run.
func (r *Runner) Elsewhere(ctx context.Context, cases []Case, atOnce int, solve parcorels.Solver) error {
	jobs, err := r.jobs(cases, "")
	if err != nil {
		return err
	}
	records := make([]Record, len(jobs))
	var running errgroup.Group
	var log sync.Mutex
	running.SetLimit(max(atOnce, 1))
	for i, j := range jobs {
		running.Go(func() error {
			out, err := execute(ctx, j.c, r.Data, solve)
			rec := &records[i]
			*rec = Record{Case: j.c, Solver: j.who, Round: 1, Origin: newOrigin(r.Machine, r.Command), Outcome: out}
			rec.SecondsWall = out.SecondsRead + out.SecondsReduce + out.SecondsSearch
			if err != nil {
				rec.Error = err.Error()
			}
			log.Lock()
			r.Log(rec.line())
			log.Unlock()
			return ctx.Err()
		})
	}
	if err := running.Wait(); err != nil {
		return err
	}
	failed := 0
	for i := range records {
		if records[i].Error != "" {
			failed++
		}
		if err := r.Emit(&records[i]); err != nil {
			return err
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d %w", failed, len(jobs), ErrRuns)
	}
	return nil
}
