package search

import "parcorels/bitvec"

// worker searches with memory of its own and the cache of all.
type worker struct {
	*search
	counts  *bitvec.SplitCount
	frames  []frame
	scratch []uint64
	counted int64
	stopped bool
}

// unlimited is the number of levels of a tree without a limit: no path is as long.
const unlimited = 1 << 30

type search struct {
	prices
	splits  *bitvec.Splits
	hasher  *bitvec.Hasher
	cache   *cache
	limited bool
	nodes   int64
}

func (s *search) newWorker() *worker {
	return &worker{search: s, counts: s.splits.NewCount(), scratch: make([]uint64, s.splits.Words())}
}

func (w *worker) count(fr *frame) bool {
	w.counted++
	if fr.levels == 1 {
		w.counts.Ones(fr.set)
		return true
	}
	return w.counts.Pairs(fr.set, func() bool { return true })
}

// below returns the frame under frame d.
func (w *worker) below(d int) *frame {
	if d+1 == len(w.frames) {
		w.frames = append(w.frames, frame{set: make([]uint64, w.splits.Words())})
	}
	return &w.frames[d+1]
}

func (s *search) withLevels(k bitvec.Key, levels int) bitvec.Key {
	if s.limited {
		k.Lo += uint64(levels) * 0x9e3779b97f4a7c15
	}
	return k
}
