package search

import (
	"parcorels/bitvec"
	"parcorels/parallel"
)

func (s *search) newWorker() *worker {
	w := s.newLooker()
	w.recent = newRecent(s.splits.Features(), &s.memory)
	return w
}

// newLooker returns a worker that only reads what others have found.
func (s *search) newLooker() *worker {
	w := &worker{search: s, counts: s.splits.NewCount(), scratch: make([]uint64, s.splits.Words(), s.splits.Words()+16), unwind: none,
		pace: pace{next: paceEvery}}
	w.deep = s.rows == nil && s.depth != unlimited
	w.lows, w.ups = make([]int64, s.splits.Features()+16), make([]int64, s.splits.Features()+16)
	all := s.whole()
	w.frames = []frame{{set: all, live: s.splits.Every(), key: s.withLevels(s.hasher.Hash(all), s.depth), levels: s.depth}}
	return w
}

// none stands for no frame.
const none = int(^uint(0) >> 1)

// count counts the set of frame d. It returns false when the search was stopped.
func (w *worker) count(d int) bool {
	if !w.allow() {
		return false
	}
	w.counted.Store(w.counted.Load() + 1)
	w.sinceLook++
	fr, c, done := &w.frames[d], w.counts, true
	if fr.levels <= 1 {
		c.Ones(fr.set, fr.live)
	} else {
		done = c.Pairs(fr.set, fr.live, w.run.Running)
	}
	w.keepEnough(fr.set)
	fr.live = append(fr.live[:0], c.Live...)
	return done
}

// below returns the frame under frame d.
func (w *worker) below(d int) *frame {
	if d+1 == len(w.frames) {
		w.frames = append(w.frames, frame{set: make([]uint64, w.splits.Words())})
	}
	return &w.frames[d+1]
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

// allow reports whether the search goes on and a count is within the node limit.
func (w *worker) allow() bool { return w.run.Running() && w.run.MayExpand() }
