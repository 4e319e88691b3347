package search

import (
	"slices"

	"parcorels/bitvec"
	"parcorels/parallel"
	"parcorels/tree/price"
)

// The open splits of sets that a worker has left not long ago.
//
// A set is left when its bound reaches a budget, and taken up again when the set
// above has raised others as far. Its splits and their bounds are then as they
// were, unless the cache knows better by now, so it need not be counted again. On
// a quarter of the counts of car-evaluation and fico the set is among the last
// thousand. The memory is fixed: one slot a set, found by the key, the last one
// stays.
type recent struct {
	slots []left // made for the first set
	most  int
}

// left is a set that was left.
type left struct {
	key    bitvec.Key
	upper  int64
	splits []split
}

const (
	recentBytes = 1 << 20 // of one worker
	recentLeast = 16      // slots; with fewer it is not worth having
	splitBytes  = 40
)

// newRecent returns room for sets with up to so many splits, none where the
// memory does not allow it.
func newRecent(features int, b *parallel.Budget) recent {
	slots := recentBytes / (splitBytes * max(features, 1))
	if slots < recentLeast || !b.Reserve(recentBytes) {
		return recent{}
	}
	return recent{most: min(slots, recentBytes/splitBytes/8)}
}

// keep remembers the splits of a frame that is left, but those that upper closes.
func (r *recent) keep(fr *frame, upper int64) {
	if r.most == 0 {
		return
	}
	if r.slots == nil {
		r.slots = make([]left, r.most)
	}
	s := &r.slots[fr.key.Lo%uint64(r.most)]
	s.key, s.upper, s.splits = fr.key, upper, slices.Grow(s.splits[:0], len(fr.splits)+len(fr.dropped))
	for _, list := range [][]split{fr.splits, fr.dropped} {
		for i := range list {
			if list[i].lower() < upper {
				s.splits = append(s.splits, list[i])
			}
		}
	}
}

// find returns the splits of a set and the upper bound that they have led to;
// none if the set is not remembered.
func (r *recent) find(k bitvec.Key) (splits []split, upper int64) {
	if len(r.slots) > 0 {
		if s := &r.slots[k.Lo%uint64(r.most)]; s.key == k {
			return s.splits, s.upper
		}
	}
	return nil, price.Far
}
