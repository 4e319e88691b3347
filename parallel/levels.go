package parallel

import (
	"sync/atomic"

	"parcorels/internal/testing/interleave"
)

// The best bound: the smallest lower bound of any open node, whether it is
// queued, in a worker's hands or being expanded.
//
// Bounds are rounded down to levels. Per level, workers count the nodes that
// they made and that they finished, as in counters.go, so for one level
// (Σinserted, read after Σfinished) − Σfinished is at least the number open at
// a moment during the reading. The reader goes through the levels from the
// lowest up and stops at the first that is not certainly empty. That is sound
// although the levels are read at different moments: a child's bound is at
// least its parent's, so once all levels below k are empty they stay empty,
// and level k, seen empty after them, stays empty as well. For the same reason
// the best bound never falls.

const levelCount = 2048

type levelCounts struct {
	inserted [levelCount]atomic.Int64
	finished [levelCount]atomic.Int64
}

// Levels rounds lower bounds down to levels between two objectives. The zero
// value has a level for each bound from 0 on; the top level takes the rest.
type Levels struct {
	root int64
	step int64 // bounds per level, less one
}

// NewLevels returns levels between the root's bound and the first incumbent's
// objective. Bounds above the latter share the top level.
func NewLevels(root, first int64) Levels {
	return Levels{root, max(0, first-root) / (levelCount - 1)}
}

func (l Levels) level(bound int64) int {
	return int(min(max(0, (bound-l.root)/(l.step+1)), levelCount-1))
}

// bound returns the smallest bound that rounds to a level.
func (l Levels) bound(level int) int64 { return l.root + int64(level)*(l.step+1) }

// bestBound returns a lower bound on whatever lies below an open node, and
// false if no node is open.
func (l Levels) bestBound(all []*counters) (int64, bool) {
	for i := range levelCount {
		var finished, inserted int64
		for _, c := range all {
			finished += c.levels.finished[i].Load()
		}
		interleave.Here()
		for _, c := range all {
			inserted += c.levels.inserted[i].Load()
		}
		if inserted != finished {
			return l.bound(i), true
		}
	}
	return 0, false
}
