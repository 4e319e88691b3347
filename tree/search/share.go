package search

import (
	"sync/atomic"

	"parcorels/bitvec"
	"parcorels/tree/price"
)

// Several workers all solve the root. Bounds that one has found help the others,
// through the cache; nothing else has to be agreed on. Two things keep them from
// doing the same work.
//
//   - Marks. A worker marks the sets of its path that it has made some counts
//     below, and those right below a set that another has marked as well. Among the
//     splits that are open, another takes the one with the smallest bound whose
//     sides nobody works on, and the smallest of all only if every one is taken.
//   - Unwinding. When a set of the path was settled by another worker, the work
//     below it has lost its use.
//
// They look at the path once in lookEvery counts. Most sets are left again after
// one or two, and whatever workers write for each of these costs all of them: a
// line of memory that another has written must be fetched from its cache.
//
// A mark is a counter found by the hash of the set. Two sets that share one cost
// a detour, nothing else.

const markCount = 1 << 14

// lookEvery is the number of counts between two looks at the path, and those below
// a set that make it worth a mark.
const lookEvery = 16

func (m marks) of(k bitvec.Key) *atomic.Int32 { return &m[k.Hi%uint64(len(m))] }

// taken reports whether another worker works on a side of s that is open.
func (w *worker) taken(s *split, k *keys) bool {
	return s.looked && (!s.with.exact() && w.marks.of(k.with).Load() > 0 ||
		!s.without.exact() && w.marks.of(k.without).Load() > 0)
}

// untaken returns the split with the smallest bound below target that nobody works
// on, −1 if there is none.
func (w *worker) untaken(fr *frame, target int64) int {
	least, most, at := target, price.Far, -1
	for i, l := range fr.lows {
		if l > least || l == target {
			continue
		}
		if s := &fr.splits[i]; (l < least || s.upper() < most) && !w.taken(s, &fr.keys[i]) {
			least, most, at = l, s.upper(), i
		}
	}
	return at
}

// lookAtPath marks the sets of the path that take long, and remembers the highest
// frame that others have settled.
func (w *worker) lookAtPath(d int) {
	w.sinceLook = 0
	made := w.counted.Load()
	for i := range d + 1 {
		fr := &w.frames[i]
		if lower, upper := w.cache.find(fr.key); lower == upper || lower >= fr.budget {
			w.unwind = i
			return
		}
		if fr.marked || made-fr.begun >= lookEvery {
			w.mark(fr)
		}
	}
}

// mark marks the set of a frame, once, and sees whether others have marked it.
func (w *worker) mark(fr *frame) {
	m := w.marks.of(fr.key)
	if !fr.marked {
		fr.marked = true
		m.Add(1)
	}
	fr.joint = m.Load() > 1
}

// unmark takes the mark of a frame that is left away.
func (w *worker) unmark(fr *frame) {
	if fr.marked {
		fr.marked, fr.joint = false, false
		w.marks.of(fr.key).Add(-1)
	}
}

// resolvedByOthers reports whether the work on frame d has lost its use.
func (w *worker) resolvedByOthers(d int) bool {
	if w.sinceLook >= lookEvery {
		w.lookAtPath(d)
	}
	if w.unwind < d {
		return true
	}
	settled := w.unwind == d
	w.unwind = none
	return settled
}

// solveRoot raises the root until it is exact, together with other workers.
// Where another settles it, the bounds are in the cache, or were published when
// the cache has lost them.
func (w *worker) solveRoot() {
	for w.run.Running() && w.search.lower.Load() < w.search.upper.Load() {
		lower, upper := w.solve(0, price.Far)
		w.publish(0, lower, upper)
	}
}
