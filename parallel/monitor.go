package parallel

import (
	"cmp"
	"context"
	"sync"
	"time"

	"parcorels/internal/status"
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

// Progress is what the searches of all families tell while they run.
type Progress struct {
	Elapsed time.Duration // since Solve was called
	Nodes   int64         // examined so far: prefixes, sets of points, or rules
	Open    int64         // nodes that wait or are being examined; 0 where there are none
	Length  int           // of the best model: rules, or leaves
	Value   float64       // of the best model: objective, value or log posterior
	Bound   float64       // no model has a better value
	Gap     float64       // between value and bound: relative, of log posteriors in nats
	Bytes   int64         // of nodes, queues and map
	Final   bool          // the search has ended
}

// Status says why a search ended. Its zero value is Unknown, which claims
// nothing.
type Status = status.Status

const (
	// Unknown is the status of a search that runs, and of one that failed.
	Unknown = status.Unknown
	// Optimal: no model is better; the whole space was closed.
	Optimal = status.Optimal
	// TimeLimit, NodeLimit: one of Limits was reached first.
	TimeLimit = status.TimeLimit
	NodeLimit = status.NodeLimit
	// MemoryLimit: not even the data structures of one worker fit.
	MemoryLimit = status.MemoryLimit
	// Interrupted: the context was cancelled.
	Interrupted = status.Interrupted
	// Stalled: for long neither the best model nor the bound had moved.
	Stalled = status.Stalled
	// Finished: the search did all that it was to do and proved less than that.
	Finished = status.Finished
)

// Stall tells when a search is to end by itself: the last half of its work has found no better model, has left as many open
// nodes, and has closed less than a twentieth of the gap. So it looks at them each time that the work has doubled. Work is
// counted, not time: one worker always ends at the same node. The zero value never ends a search.
//
// In rule lists on telco's 1,354 pairs each doubling closes less than 1% of the gap, 43% of the objective; on COMPAS's 863, 10 to 17%.
type Stall struct {
	every int64 // of a worker's work, after which it is told
	mu    sync.Mutex
	work  int64 // of all workers
	next  int64 // when the next look is due
	last  Standing
}

// Standing is how a search stands.
type Standing struct {
	Best any // the best model, as something to be compared
	Gap  int64
	Open int64 // nodes
}

const stallParts = 64 // of the work until the first look, after which a worker tells of its own
const stallShare = 20 // of the gap, the part that must be closed

// Begin sets how much work each of the workers does until the first look.
func (x *Stall) Begin(work int64, workers int) {
	x.every, x.work, x.last = max(1, work/stallParts), 0, Standing{}
	x.next = stallParts * x.every * int64(workers)
}

// Stalled takes the work that a worker has not told of, and reports whether the search is to end. Most often the worker's own
// work says that no look is due.
func (x *Stall) Stalled(work *int64, stands func() Standing) bool {
	if x.every == 0 || *work < x.every {
		return false
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.work += *work
	if *work = 0; x.work < x.next {
		return false
	}
	x.next *= 2
	before := x.last
	x.last = stands()
	return x.last.Best == before.Best && x.last.Open >= before.Open && x.last.Gap > before.Gap-before.Gap/stallShare
}
