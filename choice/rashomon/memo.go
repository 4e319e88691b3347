package rashomon

import "parcorels/parallel"

// bound is what is known of the least completion V(u) of a set: a lower bound, or V itself.
// A bound is of V, not of a question asked of it, so it serves for any room.
//
// Of two the exact one is smaller in the order of the map, then the larger one.
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
