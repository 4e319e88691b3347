package search

import (
	"parcorels/rulelist/problem"
	"parcorels/rulelist/prune"
)

// hooks let tests make the search unsound, to show that what should catch it
// does: a checker of proofs that accepts the proof of a broken search checks
// nothing. They also bring about what options cannot, such as a memory that
// ends after a few prefixes. There is no way to set them from outside the
// package. None is called in the loop over children.
type hooks struct {
	problem func(*problem.Problem)      // alters the problem before the search
	built   func(*search)               // alters the structures before anything is put into them
	opened  func(*worker, *prune.Frame) // alters which children of a prefix are judged, or judges some itself
	always  bool                        // has the separation bound where it does not pay
	trial   int64                       // ends a search without the separation bound after the least work of so many prefixes; 0: none
	rounds  int64                       // makes a round of improvement after so many entries of work, each this long, if it is not 0
	charged int64                       // takes the place of the surcharge, if it is not 0
	stalled int64                       // so many entries take the place of a worker's work until the search may end by itself, if not 0
	short   bool                        // looks at short lists at the beginning of the search
}

// alter changes the problem if a test asks for it.
func (h *hooks) alter(p *problem.Problem) {
	if h != nil && h.problem != nil {
		h.problem(p)
	}
}

// changes alters the structures of the search if a test asks for it.
func (h *hooks) changes(s *search) {
	if h != nil && h.built != nil {
		h.built(s)
	}
}

// opens lets a test see the children that are to be judged.
func (h *hooks) opens(w *worker, f *prune.Frame) {
	if h != nil && h.opened != nil {
		h.opened(w, f)
	}
}

// round returns the work of a round of improvement that a test asks for; 0: none does.
func (h *hooks) round() int64 {
	if h == nil {
		return 0
	}
	return h.rounds
}

// stall returns the work of a worker until the search may end by itself.
func (h *hooks) stall(work int64) int64 {
	if h == nil || h.stalled == 0 {
		return work
	}
	return h.stalled
}

// shortAtOnce reports whether a test wants short lists to be looked at at the beginning.
func (h *hooks) shortAtOnce() bool { return h != nil && h.short }

// separates reports whether a test wants the separation bound in any case.
func (h *hooks) separates() bool { return h != nil && h.always }
