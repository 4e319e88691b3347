package parallel

import "sync/atomic"

// The best bound: the smallest lower bound of any open prefix, whether it is
// queued, in a worker's hands or being expanded.
//
// Bounds are rounded down to levels. Per level, workers count the prefixes
// that they made and that they finished, as in counters.go, so for one level
// (Σinserted, read after Σfinished) − Σfinished is at least the number open at
// a moment during the reading. The reader goes through the levels from the
// lowest up and stops at the first that is not certainly empty. That is sound
// although the levels are read at different moments: a child's bound is at
// least its parent's, so once all levels below k are empty they stay empty,
// and level k, seen empty after them, stays empty as well. For the same reason
// the best bound never falls.

const levels = 2048

type levelCounts struct {
	inserted [levels]atomic.Int64
	finished [levels]atomic.Int64
}

// leveller rounds scaled bounds to levels between the root's bound and the
// first incumbent's objective; no open prefix has a bound above the latter
// unless the bound is left out, and then the top level takes the rest.
type leveller struct {
	root int64
	step int64 // bounds per level
}

func newLeveller(p *problem, first *solution) leveller {
	root := p.rootCost() + p.price
	return leveller{root, max(0, first.objective-root)/(levels-1) + 1}
}

func (l leveller) level(bound int64) int {
	return int(min(max(0, (bound-l.root)/l.step), levels-1))
}

// bound returns the smallest bound that rounds to a level.
func (l leveller) bound(level int) int64 { return l.root + int64(level)*l.step }

// bestBound returns a lower bound on every list that has an open prefix, and
// false if no prefix is open.
func (l leveller) bestBound(all []*counters) (int64, bool) {
	for i := range levels {
		var finished, inserted int64
		for _, c := range all {
			finished += c.levels.finished[i].Load()
		}
		interleave()
		for _, c := range all {
			inserted += c.levels.inserted[i].Load()
		}
		if inserted != finished {
			return l.bound(i), true
		}
	}
	return 0, false
}
