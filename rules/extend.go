package rules

import (
	"context"
	"math/bits"
	"runtime"

	"github.com/bits-and-blooms/bitset"

	"parcorels/loop"
)

// batchSize bounds the extensions looked at between two merges, and with them
// the memory for what is found.
const batchSize = 1 << 16

// extensions is what extending one conjunction comes to.
type extensions struct {
	found   []extension // in the order of their literals
	givenUp int64       // that would have been found, but have no place in the budget
}

// extension is a conjunction with one more literal, of enough support.
type extension struct {
	literal int
	weight  int64
	rank    rank   // where conjunctions are ranked
	hash    uint64 // of the captured set
}

// extendBatch extends every conjunction of batch by the literals behind its
// last, to card literals, on all processors. The result does not depend on
// who did what. Conjunctions are left out once ctx has ended.
func (m *miner) extendBatch(ctx context.Context, batch []*conjunction, card int) []extensions {
	out := make([]extensions, len(batch))
	loop.ParallelWith(runtime.GOMAXPROCS(0), len(batch), func() func(int) {
		buffer, ranker := bitset.New(uint(m.data.N)), m.ranker()
		return func(i int) {
			if ctx.Err() == nil {
				out[i] = m.extend(batch[i], m.read(batch[i].literals, buffer), ranker, card)
			}
		}
	})
	return out
}

// read returns the captured set of some literals, in buffer unless a literal has it.
func (m *miner) read(literals []int, buffer *bitset.BitSet) *bitset.BitSet {
	switch len(literals) {
	case 0:
		return buffer.SetAll()
	case 1:
		return m.literals[literals[0]].bits
	}
	m.literals[literals[0]].bits.Copy(buffer)
	for _, l := range literals[1:] {
		buffer.InPlaceIntersection(m.literals[l].bits)
	}
	return buffer
}

// extend looks at the extensions of c, whose captured set is set; its extensions
// are ranked by r. An extension that weighs as much as one of its two parts, of which it captures
// a subset, captures the same samples.
func (m *miner) extend(c *conjunction, set *bitset.BitSet, r *ranker, card int) (e extensions) {
	r.of(set)
	first := 0
	if n := len(c.literals); n > 0 {
		first = c.literals[n-1] + 1
	}
	for l := first; l < len(m.literals); l++ {
		lit := &m.literals[l]
		w := m.weigh(set, lit.bits)
		switch {
		case w < m.limits.least || w == m.total || w > m.limits.most && card == m.options.MaxCard:
			// too little or too much
		case card > 1 && (w == c.weight || w == lit.weight):
			// the same samples as a simpler one
		default:
			x := extension{literal: l, weight: w}
			if m.ranked && w <= m.limits.most {
				x.rank = r.rank(card == 1, w, lit.bits)
				if m.floor != nil && x.rank.compare(*m.floor) > 0 {
					e.givenUp++
					continue
				}
			}
			x.hash = m.hash(set.Words(), lit.bits.Words())
			e.found = append(e.found, x)
		}
	}
	return e
}

// weigh returns the weight of a∩b without building it.
func (m *miner) weigh(a, b *bitset.BitSet) (sum int64) {
	weights := m.data.Weights
	if weights == nil {
		return int64(a.IntersectionCardinality(b))
	}
	other := b.Words()
	for i, x := range a.Words() {
		for x &= other[i]; x != 0; x &= x - 1 {
			sum += weights[i*64+bits.TrailingZeros64(x)]
		}
	}
	return sum
}

// hashIntersection hashes a∩b. Equal hashes only make candidates for equal
// sets; see merge.
func hashIntersection(a, b []uint64) uint64 {
	var h uint64
	for i, x := range a {
		h = bits.RotateLeft64(h^x&b[i], 29) * 0x9e3779b97f4a7c15
	}
	return h
}
