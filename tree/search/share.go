package search

import (
	"sync/atomic"

	"parcorels/bitvec"
)

// Several workers all solve the root. Bounds that one has found help the others,
// through the cache; nothing else has to be agreed on. Three things keep them
// from doing the same work.
//
//   - Marks. A worker marks the sets of its path. Of the splits that are open,
//     another takes the one with the smallest bound whose sides nobody works on,
//     and the smallest of all only if every one is taken.
//   - Reading again. Before a side is raised its bounds are read again.
//   - Unwinding. When a set of the path was settled by another worker, the work
//     below it has lost its use.
//
// A mark is a counter found by the hash of the set. Two sets that share one cost
// a detour, nothing else.
type marks []atomic.Int32

const markCount = 1 << 14

func (m marks) of(k bitvec.Key) *atomic.Int32 { return &m[k.Hi%uint64(len(m))] }

// taken reports whether another worker works on a side of s that is open.
func (w *worker) taken(s *split, k *keys) bool {
	return s.looked && (!s.with.exact() && w.marks.of(k.with).Load() > 0 ||
		!s.without.exact() && w.marks.of(k.without).Load() > 0)
}

// untaken returns the split with the smallest bound below target that nobody works
// on, −1 if there is none.
func (w *worker) untaken(fr *frame, target int64) int {
	least, most, at := target, far, -1
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

// lookEvery is the number of counts between two looks at the path.
const lookEvery = 8

// settledByOthers reads the bounds of frame d again and reports whether they
// reach the budget; it also remembers the highest frame for which they do.
func (w *worker) settledByOthers(d int) bool {
	if w.unwind < d {
		return true
	}
	w.unwind = none
	if w.sinceJam++; w.sinceJam >= lookEvery {
		w.sinceJam = 0
		for i := range d {
			if w.frameSettled(i) {
				w.unwind = i
				return true
			}
		}
	}
	return w.frameSettled(d)
}

func (w *worker) frameSettled(d int) bool {
	fr := &w.frames[d]
	lower, upper := w.cache.find(fr.key)
	return lower == upper || lower >= fr.budget
}

// solveRoot raises the root until it is exact, together with other workers.
// Where another settles it, the bounds are in the cache, or were published when
// the cache has lost them.
func (w *worker) solveRoot() {
	for w.run.Running() && w.search.lower.Load() < w.search.upper.Load() {
		lower, upper := w.solve(0, far)
		w.publish(0, lower, upper)
	}
}
