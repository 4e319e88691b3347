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

// noHooks are those of a search outside tests.
var noHooks hooks

// alter changes the problem if a test asks for it.
func (h *hooks) alter(p *problem.Problem) {
	if h.problem != nil {
		h.problem(p)
	}
}
