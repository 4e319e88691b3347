package parallel

import (
	"cmp"
	"context"
	"time"
)

// Watch is what the monitor does beside the workers. Its functions are called
// from one goroutine.
type Watch struct {
	OnProgress    func(final bool) // reports progress; nil: never
	ProgressEvery time.Duration

	// OnPause is called while all workers stand still. When it has done what they
	// stand still for it calls resume, which lets them go on unless a limit was
	// reached meanwhile, and reports that. They go on when OnPause returns.
	OnPause    func(resume func() bool)
	PauseEvery time.Duration // from the end of one pause to the next; 0: never
	FirstPause time.Duration // until the first; 0: PauseEvery
}

// monitor stops the run when its context or its time ends, and calls what w
// asks for. While nodes are expanded nobody else reads a clock.
func (r *Run) monitor(ctx context.Context, w Watch, over <-chan struct{}) {
	var limit, tick, still <-chan time.Time
	if r.limits.Time > 0 {
		t := time.NewTimer(r.limits.Time - time.Since(r.limits.Start))
		defer t.Stop()
		limit = t.C
	}
	if w.OnProgress != nil {
		t := time.NewTicker(w.ProgressEvery)
		defer t.Stop()
		tick = t.C
	}
	var untilPause *time.Timer
	if next := cmp.Or(w.FirstPause, w.PauseEvery); w.OnPause != nil && next > 0 {
		untilPause = time.NewTimer(next)
		defer untilPause.Stop()
		still = untilPause.C
	}
	done := ctx.Done()
	for {
		select {
		case <-done:
			r.Halt(Interrupted)
			done = nil
		case <-limit:
			r.Halt(TimeLimit)
		case <-still:
			if r.state.CompareAndSwap(running, pausing) {
				r.pause.ask()
			}
		case <-r.pause.still:
			r.standStill(ctx, w.OnPause)
			if w.PauseEvery > 0 {
				untilPause.Reset(w.PauseEvery)
			}
		case <-tick:
			w.OnProgress(false)
		case <-over:
			if w.OnProgress != nil {
				w.OnProgress(true)
			}
			return
		}
	}
}

// standStill calls f while the workers stand still, and lets them go on.
func (r *Run) standStill(ctx context.Context, f func(resume func() bool)) {
	if r.state.Load() == pausing {
		f(func() bool {
			switch {
			case ctx.Err() != nil:
				r.Halt(Interrupted)
			case r.limits.Time > 0 && time.Since(r.limits.Start) >= r.limits.Time:
				r.Halt(TimeLimit)
			}
			return r.state.CompareAndSwap(pausing, running)
		})
	}
	r.pause.end()
}
