package bench

import (
	"time"

	"parcorels/parallel"
)

// A trace is made by the monitor of the search from what the workers count
// anyway: they do nothing for it.

const (
	traceEvery  = time.Millisecond
	traceGrowth = 1.03 // least ratio of the times of two points between which nothing improved
)

// tracer keeps the looks at a search that a plot needs: every improvement of
// the objective, and otherwise points whose times grow by a few per cent.
type tracer struct {
	points     []TracePoint
	mostQueued int64
}

func newTracer() *tracer { return new(tracer) }

func (t *tracer) look(p parallel.Progress) {
	t.mostQueued = max(t.mostQueued, p.Queued)
	seconds := p.Elapsed.Seconds()
	if n := len(t.points); n > 0 && !p.Final {
		last := &t.points[n-1]
		if last.Objective == p.Objective && seconds < last.Seconds*traceGrowth {
			return
		}
	}
	t.points = append(t.points, TracePoint{seconds, p.Objective, p.LowerBound, p.LogRemain, p.QueuedByLength})
}
