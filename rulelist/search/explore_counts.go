package search

import (
	"sync/atomic"
	"unsafe"

	"parcorels/bitvec"
	"parcorels/rulelist/problem"
)

// counts are what one worker has done, for reports. It alone writes them. Each
// worker's lie on cache lines of their own.
type counts struct {
	_           [64]byte
	expanded    atomic.Int64
	evaluations atomic.Int64
	hits        atomic.Int64
	dominated   atomic.Int64
	closed      atomic.Int64
	_           [64]byte
}

const countsBytes = int64(unsafe.Sizeof(counts{}))

// add increments a counter that only the caller writes.
func add(c *atomic.Int64, n int64) { c.Store(c.Load() + n) }

// tally counts what one worker does in the expansion at hand.
type tally struct {
	counts *counts
	work   int64 // steps of the counting kernel so far, those of the expansion not included

	evaluations, hits, dominations, closed, expanded int64
	placed                                           int64 // children that were handed to the queue
}

// flush adds the expansion to the counters, and returns the steps of the counting
// kernel that it took.
func (t *tally) flush(p *problem.Problem) (steps int64) {
	steps = t.evaluations / bitvec.Lanes * int64(p.Planes.PlaneWords())
	c := t.counts
	add(&c.evaluations, t.evaluations)
	add(&c.hits, t.hits)
	add(&c.dominated, t.dominations)
	add(&c.closed, t.closed)
	add(&c.expanded, t.expanded)
	*t = tally{counts: c, work: t.work + steps}
	return steps
}
