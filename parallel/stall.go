package parallel

import "sync"

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

const (
	stallParts = 64 // of the work until the first look, after which a worker tells of its own
	stallShare = 20 // of the gap, the part that must be closed
)

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
