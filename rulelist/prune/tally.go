package prune

import (
	"sync/atomic"
	"unsafe"

	"parcorels/bitvec"
	"parcorels/rulelist/problem"
)

// Counts are what one worker has done, for reports. It alone writes them. Each
// worker's lie on cache lines of their own.
type Counts struct {
	_           [64]byte
	Expanded    atomic.Int64
	Evaluations atomic.Int64
	Hits        atomic.Int64
	Dominated   atomic.Int64
	Closed      atomic.Int64
	_           [64]byte
}

const CountsBytes = int64(unsafe.Sizeof(Counts{}))

// add increments a counter that only the caller writes.
func add(c *atomic.Int64, n int64) { c.Store(c.Load() + n) }

// Tally counts what one worker does in the expansion at hand.
type Tally struct {
	Counts *Counts
	work   int64 // steps of the counting kernel so far, those of the expansion not included

	Evaluations, Hits, Dominations, Closed, Expanded int64
	Placed                                           int64 // children that were handed to the queue
}

// Flush adds the expansion to the counters, and returns the steps of the counting
// kernel that it took.
func (t *Tally) Flush(p *problem.Problem) (steps int64) {
	steps = t.Evaluations / bitvec.Lanes * int64(p.Planes.PlaneWords())
	c := t.Counts
	add(&c.Evaluations, t.Evaluations)
	add(&c.Hits, t.Hits)
	add(&c.Dominated, t.Dominations)
	add(&c.Closed, t.Closed)
	add(&c.Expanded, t.Expanded)
	*t = Tally{Counts: c, work: t.work + steps}
	return steps
}
