package bench

import (
	"math"
	"time"

	"parcorels"
)

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
