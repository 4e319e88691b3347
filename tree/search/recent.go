package search

import (
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

// left is a set that was left.
type left struct {
	key    bitvec.Key
	upper  int64
	room   int32 // + 1; 0: none
	splits int32
}

const (
	recentBytes = 1 << 20 // of one worker
	recentLeast = 16      // slots; with fewer it is not worth having
	splitBytes  = 40
	roomBytes   = 1 << 14 // of rooms that are made together

	recentSaves  = 8   // a hit saves as much as keeping so many sets costs
	recentPause  = 8   // one set in so many is kept while that does not pay
	recentCredit = 512 // most that is saved up
)

// newRecent returns room for sets with up to so many splits, none where the
// memory does not allow it.
func newRecent(features int, b *parallel.Budget) recent {
	slots := recentBytes / (splitBytes * max(features, 1))
	if slots < recentLeast || !b.Reserve(recentBytes) {
		return recent{}
	}
	return recent{size: min(slots, recentBytes/splitBytes/8), most: features, worth: recentCredit}
}

// room returns a room for splits. Memory is taken as it is needed: most searches keep few sets.
func (r *recent) room(i int32) []split {
	together := max(1, roomBytes/(splitBytes*r.most))
	at := int(i) / together
	if at == len(r.rooms) {
		r.rooms = append(r.rooms, make([]split, together*r.most))
	}
	return r.rooms[at][int(i)%together*r.most:][:r.most]
}

// keep remembers the splits of a frame that is left, but those that upper closes.
func (r *recent) keep(fr *frame, upper int64) {
	if r.slots == nil {
		r.slots = make([]left, r.size)
	}
	s := &r.slots[fr.key.Lo%uint64(r.size)]
	if s.room == 0 {
		r.used++
		s.room = int32(r.used)
	}
	to := r.room(s.room - 1)[:0]
	for _, list := range [][]split{fr.splits, fr.dropped} {
		for i := range list {
			if list[i].lower() < upper {
				to = append(to, list[i])
			}
		}
	}
	s.key, s.upper, s.splits = fr.key, upper, int32(len(to))
}

// pays reports whether a set is to be kept.
func (r *recent) pays() bool {
	if r.worth > 0 {
		r.worth--
		return r.size > 0
	}
	if r.skipped++; r.skipped < recentPause {
		return false
	}
	r.skipped = 0
	return r.size > 0
}

// find returns the splits of a set and the upper bound that they have led to;
// none if the set is not remembered.
func (r *recent) find(k bitvec.Key) (splits []split, upper int64) {
	if len(r.slots) == 0 {
		return nil, price.Far
	}
	if s := &r.slots[k.Lo%uint64(r.size)]; s.key == k && s.room > 0 {
		r.worth = min(r.worth+recentSaves, recentCredit)
		return r.room(s.room - 1)[:s.splits], s.upper
	}
	return nil, price.Far
}
