package prune

import (
	"sync/atomic"
	"unsafe"

	"parcorels/bitvec"
	"parcorels/parallel"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/record"
	"parcorels/rulelist/separation"
)

// Context is what the prunings of one worker may use.
type Context struct {
	P         *problem.Problem // the worker's
	Incumbent *parallel.Incumbent[problem.Solution]
	Offer     func(objective int64, prefix []problem.Column, more ...problem.Column) // takes a list that may be better
	Running   func() bool                                                            // false once the search is stopped
	Tally     *Tally
	Proof     *record.Recorder  // nil: no proof is written
	Separated *Separated        // nil: no separation bound
	Shares    *separation.Split // nil: no split bound
	Posts     []*Post           // of each worker; nil: nobody reads another's
	Worker    int               // the index of this one
}

// wanted reports whether a prefix can still beat the incumbent.
func (x *Context) wanted(bound int64, depth int) bool {
	return x.P.Wanted(x.Incumbent.Load(), bound, depth)
}

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

// The work of a search is counted in entries, the numbers of an LP that a step touches (2.7 ns).

// A column takes some 7 ns and .2 ns for each word of a plane, an ascent's unit of work 3 ns.
const (
	evaluateParts = 16
	evaluateLeast = 37
)

// A child that is placed takes some .7 µs, and 8 ns for each word of a plane, in entries.
const (
	childEntries     = 220
	childWordEntries = 3
)

// ExpansionWork returns about how much work it is to count so many columns and to place so many
// children, where planes have so many words.
func ExpansionWork(columns, children, words int64) int64 {
	return columns*(evaluateLeast+words)/evaluateParts + children*(childEntries+childWordEntries*words)
}

// How far the checks of the prunings 5 and 8 go. These look for a smaller
// list by comparing sets, and each has to pay for itself (parallel.Allowance).
// There are three accounts:
//
//   - Similar support has two. Where many prefixes are dominated, most are by
//     the first few entries of the hot list, which cost next to nothing to look
//     at: a glance. The rest of the hot list and the recent prefixes find those
//     entries, and little else. On other instances hardly a prefix is dominated,
//     and with many points even a glance and taking note of the prefix cost
//     more than that saves.
//   - Redundant rules have one.

const (
	headBlocks = 4 // of the hot list, for a glance
	// what a block costs, in steps of the counting kernel; an expansion takes several times the steps that are counted for it
	blockSteps = 12

	// What an expansion costs beside the steps that are counted for it. Looking
	// through all dominators does not earn it: that was tuned without.
	overheadSteps = 4000
)

// glanceAllowance is for looking at the head of the hot list, which needs the
// set at hand in the form of the kernels, and for noting the prefix.
func glanceAllowance(words int) parallel.Allowance {
	return parallel.NewAllowance(headBlocks*blockSteps+3*words, overheadSteps)
}

// wholeAllowance is for looking through so many entries, of which a quarter of
// the words is read on average.
func wholeAllowance(entries, words int) parallel.Allowance {
	return parallel.NewAllowance(entries/bitvec.Lanes*(blockSteps+words/4), 0)
}

// Sizes of what the workers bring along.

// WorkerBytes is the size of the buffers of one of so many workers, those of one frame and of
// the dominators above all.
func WorkerBytes(p *problem.Problem, workers int) int64 {
	columns := int64(p.Padded())*4*8 + 2*p.CountBytes(p.Padded())
	return setBytes(p, listsLen(p, workers)+postLen) + columns + int64(p.Words)*8*12
}

// setBytes is the size of n dominators; none are kept without their pruning.
func setBytes(p *problem.Problem, n int) int64 {
	if !p.Uses(problem.Similar) {
		return 0
	}
	return int64(n) * (int64(p.Words)*8 + 3*8 + tieDepth*2)
}
