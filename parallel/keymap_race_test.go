//go:build race

package parallel

import (
	"math/rand/v2"
	"testing"

	"parcorels/internal/testing/cases"
	"parcorels/loop/interleave"
)

// TestMapSuspendedOffers stops one offer at each of its steps in turn, and,
// while it stands there, another at each of its own; meanwhile a third worker
// offers enough for the tables to grow, and sometimes to move twice. Then the
// two go on. Unlike the stress tests this meets every pair of steps.
func TestMapSuspendedOffers(t *testing.T) {
	rounds := 60
	if !cases.All() {
		rounds = 12
	}
	for i, hash := range hashes {
		for round := range rounds {
			rng := rand.New(rand.NewPCG(uint64(round), uint64(i)))
			keys := []int{2, 6, 40}[round%3]
			s := suspended{
				c:      newContest(rng, 40, distinctKeys(keys, hash.make)),
				before: rng.IntN(1 + keys/3), // so that the two may well be the first to want their key
				burst:  []int{0, 1, 5, 20}[round/3%4],
			}
			for first := 0; s.run(t, first, 0); first++ {
				for second := 1; s.run(t, first, second); second++ {
				}
			}
			if t.Failed() {
				t.Fatalf("%s, round %d: %d offers before, %d meanwhile", hash.name, round, s.before, s.burst)
			}
		}
	}
}

// suspended is one history: some offers, the two that are suspended, a burst.
type suspended struct {
	c             *contest
	before, burst int
	m             *KeyMap[ref]
	results       []result
}

func (s *suspended) offer(from, to int) {
	for i := from; i < to; i++ {
		x := &s.c.values[i]
		s.results[i].outcome, s.results[i].displaced = s.m.Offer(s.c.keys[x.key], x.ref, s.c.claim(x))
	}
}

// run suspends one offer at step first, and the next, made meanwhile, at step
// second. It reports whether both steps were reached.
func (s *suspended) run(t *testing.T, first, second int) bool {
	var books ledger
	s.m = newKeyMap[ref](0, 2, &books.Budget)
	s.results = make([]result, len(s.c.values))
	one, two, burst := s.before, s.before+1, s.before+2
	both := false
	s.offer(0, one)
	oneEnded := interleave.Suspend(first, func() {
		twoEnded := interleave.Suspend(second, func() { s.offer(burst, burst+s.burst) })
		s.offer(two, two+1)
		if both = twoEnded(); !both {
			s.offer(burst, burst+s.burst)
		}
	})
	s.offer(one, one+1)
	if !oneEnded() {
		s.offer(two, burst+s.burst)
	}
	s.offer(burst+s.burst, len(s.c.values))
	s.c.settle(t, s.m, s.results, false)
	books.check(t, s.m, 2*slotBytes)
	return both && !t.Failed()
}
