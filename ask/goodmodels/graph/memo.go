package graph

import (
	"parcorels/bitvec"
	"parcorels/parallel"
)

// bound is what is known of the least completion V(u) of a set: a lower bound, or V itself.
// A bound is of V, not of a question asked of it, so it serves for any room.
//
// Between two, the exact one is smaller in the order of the map, then the larger one.
type bound uint64

func newBound(value int64, exact bool) bound {
	b := bound(value)<<2 | 1
	if exact {
		b |= 2
	}
	return b
}

func (b bound) value() int64 { return int64(b >> 2) }
func (b bound) exact() bool  { return b&2 != 0 }

// Against implements parallel.Claim.
func (b bound) Against(held bound) parallel.Verdict {
	switch {
	case held.exact():
		return parallel.Loses
	case b.exact() || b > held:
		return parallel.Wins
	}
	return parallel.Loses
}

// memo maps sets of points that cost something to what is known of them. Two sets share a
// key with probability about 2^-128.
type memo = parallel.KeyMap[bound]

// forgetting counts what one goroutine could not remember, as the memo was full. Without a memo V is
// found again and again, and the time may grow exponentially with the depth. So an attempt ends after it
// forgot some times of what it remembers.
type forgetting int64

const (
	forgetTimes = 8       // of what the memo holds, so many may be forgotten
	forgetFree  = 1 << 14 // and so many besides: a tenth of a second
)

// offer tells a memo of V, and reports whether too much was forgotten since the attempt began.
func (f *forgetting) offer(m *memo, key bitvec.Key, b *bound) (tooMuch bool) {
	if outcome, _ := m.Offer(key, *b, b); outcome != parallel.Full {
		return false
	}
	*f++
	return *f%256 == 0 && int64(*f) > forgetFree+forgetTimes*m.Entries()
}
