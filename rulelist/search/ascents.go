package search

import "math"

// Whether ascents pay (pruning 11, separation.go).
//
// An ascent mostly takes several times as long as an expansion, and a prefix that it
// closes would have been the beginning of many. As the queue's order is by bounds, what
// is left between a prefix's bound and the incumbent falls about linearly in the
// logarithm of the number of prefixes. So a worker can tell early how many there are
// going to be. If their ascents seem to take longer than the search was expected to take
// without them, the worker makes no more.

const (
	firstTold     = 128     // ascents after which the first guess is made; the second one counts
	ascentWorth   = 6       // work of ascents that takes as long as a unit of estimated work
	mostDoublings = 20      // that are foreseen
	unlimited     = 1 << 32 // the estimate of a search that counts as endless
)

// ascents are a worker's.
type ascents struct {
	off      bool
	n        int64
	work     int64    // of all workers, if they are all alike
	guess    int64    // the last one of the work in all
	expected int64    // the smaller of the last two guesses; 0: none yet
	rooms    [3]int64 // what was left, at the last powers of two
}

// made notes an ascent at a prefix with so much left between its bound and the incumbent.
func (a *ascents) made(room, work int64) {
	a.n++
	a.work += work
	if a.n&(a.n-1) != 0 {
		return
	}
	a.rooms[0], a.rooms[1], a.rooms[2] = a.rooms[1], a.rooms[2], room
	if a.n < firstTold {
		return
	}
	doublings := int64(mostDoublings)
	if fell := a.rooms[0] - room; fell > 0 {
		doublings = min(2*max(0, room)/fell, mostDoublings) // another worker may have lowered the incumbent below the bound
	}
	guess := min(a.work, math.MaxInt64>>doublings) << doublings
	a.expected = guess
	if a.n > firstTold {
		a.expected = min(guess, a.guess)
	}
	a.guess = guess
}

// pays decides whether ascents go on, if the search takes so much work without them.
// The more columns there are, the more a prefix saves that is closed: cars with λ = .01,
// of 792, takes 400 times as many prefixes without ascents, and NYCLU with λ = .0025, of
// 46, 14 times. So the estimate counts by the square of their words.
func (a *ascents) pays(without int64, columns int) bool {
	words := int64((columns + 63) / 64)
	a.off = a.off || a.n == 2*firstTold && without < unlimited && a.expected/ascentWorth/words/words > without
	return !a.off
}
