package search

// Improving the incumbent during the search.
//
// A long search with an incumbent that is not optimal inserts many prefixes
// that the optimum would close, and best-first order meets better lists late.
// So one worker continues the heuristics of first.go between prefixes: not
// for longer, in steps of the counting kernel, than a fixed share of what all
// workers together have spent on the search. (If it were a share of its own work,
// the search of many workers would be as many times further when a better list is
// found.) If the incumbent is the optimum already, that share is lost, which is
// why it is small.

const (
	improveAscents = 2  // work of ascents that counts as a step, as they are part of the search
	improveShare   = 16 // as in first.go: one to three per cent of the workers' time
)

// improve gives the heuristics another round if they have had less than their
// share.
func (w *worker) improve() {
	f := w.s.finder
	if w.index != 0 || f == nil {
		return
	}
	workers := min(w.s.o.Workers, improveShare) // who work alike; but this one has the search to do as well
	share := (w.work + w.sep.ascents.made/improveAscents) / improveShare * int64(workers)
	if 2*f.work.spent > share {
		return // rounds double in length, or beams would never find the room to widen
	}
	f.work.done = w.run.Done()
	f.work.limit = share
	w.run.Leave()
	f.round()
	w.run.Enter()
}
