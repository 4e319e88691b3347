package search

import (
	"sync/atomic"

	"parcorels/bitvec"
	"parcorels/parallel"
	"parcorels/tree/price"
)

// newLooker returns a worker that only reads what others have found.
func (s *search) newLooker() *worker {
	w := &worker{search: s, counts: s.splits.NewCount(), scratch: make([]uint64, s.splits.Words(), s.splits.Words()+16), unwind: none,
		pace: pace{next: paceEvery}, deep: s.rows == nil && s.depth != unlimited}
	w.lows, w.ups = make([]int64, s.splits.Features()+16), make([]int64, s.splits.Features()+16)
	all := s.whole()
	w.frames = []frame{{set: all, live: s.splits.Every(), key: s.withLevels(s.hasher.Hash(all), s.depth), levels: s.depth}}
	return w
}

// none stands for no frame.
const none = int(^uint(0) >> 1)

// count counts the set of frame d. It returns false when the search was stopped.
func (w *worker) count(d int) bool {
	if !w.run.Running() || !w.run.MayExpand() {
		return false
	}
	w.counted.Store(w.counted.Load() + 1)
	w.sinceLook++
	return w.pairs(&w.frames[d], w.run.Running)
}

// pairs counts the set of a frame, unless it is the one that was counted last. With one level left pairs of features are of
// no use.
func (w *worker) pairs(fr *frame, goOn func() bool) bool {
	if fr.key == w.current && fr.key != (bitvec.Key{}) { // a tree is read off sets without keys, too
		return true
	}
	w.current, w.tripled, w.exact = bitvec.Key{}, false, false
	w.counts.Sums(fr.set, fr.live)
	if fr.levels > 1 && !w.counts.Pairs(goOn) {
		return false
	}
	w.current = fr.key
	w.keepEnough(fr.set)
	fr.live = append(fr.live[:0], w.counts.Live...)
	return true
}

// withLevels returns the key of a set with some levels left.
func (s *search) withLevels(k bitvec.Key, levels int) bitvec.Key {
	if s.depth != unlimited {
		k.Lo += uint64(levels) * 0x9e3779b97f4a7c15
		k.Hi ^= uint64(levels) * 0xd1342543de82ef95
	}
	return k
}

// publish makes bounds on the root known to the monitor and to the result.
func (w *worker) publish(d int, lower, upper int64) {
	if d > 0 {
		return
	}
	for l := w.search.lower.Load(); lower > l && !w.search.lower.CompareAndSwap(l, lower); l = w.search.lower.Load() {
	}
	if upper < w.enough {
		w.run.Halt(parallel.Finished)
	}
	for u := w.search.upper.Load(); upper < u && !w.search.upper.CompareAndSwap(u, upper); u = w.search.upper.Load() {
	}
}

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
