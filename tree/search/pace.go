package search

// The pace at the root.
//
// Where one side of a split is exact, the other must reach all of the target before
// the split is done, and it is raised to that at once: in steps it would cost the
// same, and sets be counted again for each. At the root this may take hours
// on a table of many weak features, while the bound of all trees stands still at
// that of the next split. So at the root the side is raised in steps, as other
// sides are, as long as that costs little: while most counts are of sets that the
// cache did not know. A worker looks at this after so many counts, and leaves a side
// that it is raising at once for the other splits of the root.

// paceEvery is the number of counts of a worker between two looks, and paceNew of
// paceOf counts are of new sets while the root is raised in steps. Tests make
// it smaller.
var paceEvery int64 = 30_000

const paceNew, paceOf = 3, 4

// keepPace looks whether the root is to be raised in steps from now on. When that
// begins, the worker returns from frame d to the root.
func (w *worker) keepPace(d int) {
	counted, sets := w.search.counted(), w.cache.entries()
	steps := (sets-w.pace.sets)*paceOf > (counted-w.pace.counted)*paceNew
	if steps && !w.pace.steps && d > 0 {
		w.unwind = min(w.unwind, 1)
	}
	w.pace = pace{steps, w.counted.Load() + paceEvery, counted, sets}
}
