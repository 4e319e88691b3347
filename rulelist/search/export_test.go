package search

import (
	"sync/atomic"
	"time"

	"parcorels/internal/testing/starve"
	"parcorels/parallel"
	"parcorels/rulelist/prune"
)

// What the test of blocks shares with those within the package.
var (
	Best, Describe, CheckProof, Seeds = best, describe, checkProof, seeds
)

// Early and Wide are early and wide.
const Early, Wide = early, wide

// Straits are circumstances that no options bring about on instances that
// exhaustive search can do.
type Straits struct {
	Starved  bool
	Nodes    int   // of a starved search: prefixes that worker 0 has room for; the others have none
	Chunks   int   // and chunks that each queue has
	Bounded  bool  // it has the separation bound even where that does not pay
	Charged  int64 // and this surcharge for each rule, if it is not 0
	Trial    int64 // it goes without that bound for at most so many prefixes, if it is not 0, and then begins anew
	Improved bool  // it makes a round of improvement after hardly any work
	CutAt    int64 // cancel the search at the so manieth child, with others of the same prefix yet to be judged; 0: never
}

// Separated returns the options of a search that has the separation bound even
// where it does not pay, as on all instances that exhaustive search can do.
func Separated(o Options) Options {
	o.hooks = &hooks{always: true}
	return o
}

// OnTrial returns the options of a search that goes without the separation bound for at
// most so many prefixes, and then begins anew with it.
func OnTrial(o Options, prefixes int64) Options {
	o.hooks = &hooks{trial: prefixes}
	return o
}

// Slowly returns the options of a search that takes its time for each prefix, so that pauses
// come between them.
func Slowly(o Options, separated bool) Options {
	o.hooks = &hooks{always: separated, opened: func(*worker, *prune.Frame) { time.Sleep(20 * time.Microsecond) }}
	return o
}

// In returns the options of a search in these circumstances.
func (x Straits) In(o Options) Options {
	var s *search
	var judged atomic.Int64
	o.hooks = &hooks{
		always: x.Bounded, charged: x.Charged, trial: x.Trial,
		built: func(built *search) {
			if s = built; x.Starved {
				s.starve(x.Nodes, x.Chunks)
			}
		},
		opened: func(w *worker, f *prune.Frame) {
			n := int64(len(openColumns(f)))
			if before := judged.Add(n) - n; before < x.CutAt && x.CutAt <= before+n {
				w.judgeFirst(f, int(x.CutAt-before)-1)
				s.run.Halt(parallel.Interrupted)
			}
		},
	}
	if x.Improved {
		o.hooks.rounds = 2000
	}
	return o
}

// ShortBeside returns the options of a search that takes its time, and looks at short lists at once.
func ShortBeside(o Options) Options {
	o.hooks = &hooks{short: true, opened: func(*worker, *prune.Frame) { time.Sleep(50 * time.Microsecond) }}
	return o
}

// Stalling returns the options of a search that may end by itself after hardly any work.
func Stalling(o Options) Options {
	o.hooks = &hooks{stalled: 1}
	return o
}

// ShortAlone returns the options of such a search that ends once it has looked at them.
func ShortAlone(o Options) Options {
	var s *search
	o = ShortBeside(o)
	slowly := o.hooks.opened
	o.hooks.built = func(built *search) { s = built }
	o.hooks.opened = func(w *worker, f *prune.Frame) {
		if slowly(w, f); s.proved.Time > 0 {
			s.run.Halt(parallel.TimeLimit)
		}
	}
	return o
}

// starve takes free nodes and chunks of the queue away and spends the budget,
// so that worker 0 has so many nodes, every other worker none, and every shard
// room for so many chunks. A real budget leaves thousands of both, more than a
// problem that exhaustive search can do has any use for.
func (s *search) starve(nodes, chunks int) {
	s.budget.Limit = 1 // whatever was taken, there is no more
	starve.Nodes(s.arena.Handle(0), nodes)
	s.queue.Shrink(chunks)
}

// ObjectiveValue returns misclassification + λ·length as a float, for print.
func (r Result) ObjectiveValue() float64 { return float64(r.Objective) / float64(r.Scale) }

// LowerBoundValue returns the proven lower bound as a float, for print.
func (r Result) LowerBoundValue() float64 { return float64(r.LowerBound) / float64(r.Scale) }
