package parallel

import (
	"parcorels/bitvec"
	"parcorels/internal/invariants"
	"parcorels/internal/testing/interleave"
)

// How a value comes into a slot of a KeyMap.

// Verdict is the outcome of a comparison with the value that a key has.
type Verdict int

const (
	Stale Verdict = iota // the value that was there tells nothing any more
	Loses                // it is smaller than the one offered, or the same
	Wins                 // the one offered is smaller
)

// WinsIf returns Wins or Loses.
func WinsIf(wins bool) Verdict {
	if wins {
		return Wins
	}
	return Loses
}

// Claim knows the value that its owner offers.
type Claim[V ~uint64] interface {
	// Against compares the value offered with the one held, which is not 0.
	Against(held V) Verdict
}

// Outcome is what became of a value.
type Outcome int

const (
	Entered Outcome = iota // the key has the value now
	Refused                // the key has a smaller value
	Full                   // the map has no room and may not grow
)

// Offer gives the key k the value v, unless c says that the present one is
// smaller. It returns the value that v displaced, 0 if none or a stale one.
func (m *KeyMap[V]) Offer(k bitvec.Key, v V, c Claim[V]) (Outcome, V) {
	k = normal(k)
	p := m.part(k)
	t := p.table.Load()
	for {
		s, at := m.resolve(p, t, k)
		if s == nil {
			return Full, 0
		}
		outcome, displaced, frozen := contend(s, v, c)
		if !frozen {
			if invariants.On && m.Find(k) == 0 {
				panic("parallel: a key that was offered a value has none")
			}
			return outcome, displaced
		}
		t = m.follow(at, s, k)
	}
}

// contend puts v into the slot unless the value held is smaller.
func contend[V ~uint64](s *slot, v V, c Claim[V]) (out Outcome, displaced V, frozen bool) {
	for {
		old := s.value.Load()
		if old&frozenValue != 0 {
			return 0, 0, true
		}
		verdict := Stale
		if old != 0 {
			verdict = c.Against(V(old))
		}
		if verdict == Loses {
			return Refused, 0, false
		}
		interleave.Here()
		if s.value.CompareAndSwap(old, uint64(v)) {
			if verdict == Wins {
				displaced = V(old)
			}
			return Entered, displaced, false
		}
	}
}
