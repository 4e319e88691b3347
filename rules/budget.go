package rules

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/bits-and-blooms/bitset"
)

// A table of hundreds of columns has millions of conjunctions, more than a
// search can look at. Options.Budget of them are kept: all single literals, as
// far as they go, and then the conjunctions of most gain.
//
// The gain of a conjunction is the weight of errors that the list of one rule
// on it spares: what the larger class of all samples does not err, less the
// errors on both sides of the rule. Where that is the same, as it is for the
// many that change no prediction, the larger difference |w1·W0 − w0·W1| counts,
// of the weights of the classes in the conjunction, w, and in all, W. Both are
// exact integers, and what is still equal goes by simplicity. That is a strict
// total order, so that the same are kept on every machine.
//
// Conjunctions of equal captured sets have equal gains. So the best of all
// different sets are found with no more than twice the budget of them in
// memory: what has a whole budget of better ones before it cannot come back.

// rank is the place of a conjunction in the order by gain, literals aside.
type rank struct {
	single bool
	gain   int64
	spread [2]uint64 // high and low word
}

// compare orders the better rank first.
func (r rank) compare(s rank) int {
	if r.single != s.single {
		if r.single {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(s.gain, r.gain), cmp.Compare(s.spread[0], r.spread[0]), cmp.Compare(s.spread[1], r.spread[1]))
}

// rankOf returns the rank of a conjunction of the given weights.
func (m *miner) rankOf(single bool, weight, ones int64) rank {
	zeros := weight - ones
	w0, w1 := m.total-m.ones, m.ones
	hi1, lo1 := bits.Mul64(uint64(ones), uint64(w0))
	hi0, lo0 := bits.Mul64(uint64(zeros), uint64(w1))
	if hi1 < hi0 || hi1 == hi0 && lo1 < lo0 {
		hi1, lo1, hi0, lo0 = hi0, lo0, hi1, lo1
	}
	low, borrow := bits.Sub64(lo1, lo0, 0)
	high, _ := bits.Sub64(hi1, hi0, borrow)
	return rank{single, min(w0, w1) - min(zeros, ones) - min(w0-zeros, w1-ones), [2]uint64{high, low}}
}

// rankLevel decides whether the conjunctions of the next level are to be
// ranked, for there may be more than the budget with them.
func (m *miner) rankLevel(level []*conjunction) {
	possible := len(m.pool)
	for _, c := range level {
		next := 0
		if n := len(c.literals); n > 0 {
			next = c.literals[n-1] + 1
		}
		possible += len(m.literals) - next
	}
	if m.ranked || possible <= m.options.Budget {
		return
	}
	m.ranked = true
	m.ones = m.weigh(m.data.Labels, m.data.Labels)
	for _, c := range m.pool {
		set := m.captured(c)
		c.rank = m.rankOf(len(c.literals) == 1, c.weight, m.weigh(set, m.data.Labels))
	}
}

// prune gives up all but the best of the pool, up to the budget.
func (m *miner) prune() {
	if len(m.pool) <= m.options.Budget {
		return
	}
	slices.SortFunc(m.pool, func(a, b *conjunction) int {
		return cmp.Or(a.rank.compare(b.rank), compare(m.literalsOf(a.literals), m.literalsOf(b.literals)))
	})
	for _, c := range m.pool[m.options.Budget:] {
		c.givenUp = true
		m.forget(c)
	}
	m.pool = slices.Clip(m.pool[:m.options.Budget])
	m.floor = &m.pool[len(m.pool)-1].rank
}

// forget removes a conjunction from those that are found by their hash.
func (m *miner) forget(c *conjunction) {
	first := m.byHash[c.hash]
	if first == c {
		if c.next == nil {
			delete(m.byHash, c.hash)
		} else {
			m.byHash[c.hash] = c.next
		}
		return
	}
	for k := first; k != nil; k = k.next {
		if k.next == c {
			k.next = c.next
			return
		}
	}
}

// onesOf returns the samples of class 1 in set, in buffer.
func (m *miner) onesOf(set, buffer *bitset.BitSet) *bitset.BitSet {
	set.CopyFull(buffer)
	buffer.InPlaceIntersection(m.data.Labels)
	return buffer
}
