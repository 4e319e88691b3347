package bench

import (
	"math"
	"time"

	"parcorels/rulelist/search"
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

func (t *tracer) look(p search.Progress) {
	t.mostQueued = max(t.mostQueued, p.Open)
	t.add(p.Final, TracePoint{Seconds: p.Elapsed.Seconds(), Objective: p.Value, Bound: p.Bound, LogRemain: rounded(p.LogRemain, 1e3), Queue: p.QueuedByLength})
}

// add keeps a point if it tells something, or is the final one.
func (t *tracer) add(final bool, p TracePoint) {
	p.Seconds, p.Objective, p.Bound = rounded(p.Seconds, 1e6), rounded(p.Objective, 1e9), rounded(p.Bound, 1e9)
	if n := len(t.points); n > 0 && !final {
		last := &t.points[n-1]
		if last.Objective == p.Objective && p.Seconds < last.Seconds*traceGrowth {
			return
		}
	}
	t.points = append(t.points, p)
}

// rounded keeps records short.
func rounded(x, per float64) float64 { return math.Round(x*per) / per }
