package parallel

import (
	"sync/atomic"

	"parcorels/internal/invariants"
	"parcorels/loop/interleave"
)

// Solution is what an Incumbent holds: it knows whether it is better than
// another. Better must be a strict total order, so that the answer does not
// depend on which worker came first.
type Solution[S any] interface {
	Better(than *S) bool
}

// Incumbent is the best solution that any worker has found.
//
// It is one pointer to an immutable record rather than an atomic objective
// beside a solution: a node that ties with the incumbent may be judged by more
// than the objective, and an objective read from one solution with a length from
// another could drop the optimum.
type Incumbent[S Solution[S]] struct {
	_    [64]byte
	best atomic.Pointer[S]
	_    [56]byte
}

// Load returns the best solution so far, nil before the first.
func (in *Incumbent[S]) Load() *S { return in.best.Load() }

// Offer makes s the incumbent if it is better, and reports whether it is. From
// then on nobody may change s.
func (in *Incumbent[S]) Offer(s *S) bool {
	for {
		old := in.best.Load()
		if old != nil && !(*s).Better(old) {
			return false
		}
		if invariants.On && old != nil && (*old).Better(s) {
			panic("parallel: two solutions are better than each other")
		}
		interleave.Here()
		if in.best.CompareAndSwap(old, s) {
			return true
		}
	}
}
