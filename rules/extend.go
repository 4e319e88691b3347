package rules

import (
	"context"
	"math/bits"
	"runtime"
	"slices"

	"github.com/bits-and-blooms/bitset"

	"parcorels/dataset"
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

// merge keeps c extended by x, unless its captured set is there already: then
// the simpler of the two conjunctions remains, of antecedents and of those that are
// only to be extended. It returns the conjunction if
// its set is new. Two conjunctions of one level are merged in any order.
func (m *miner) merge(c *conjunction, x extension) *conjunction {
	literals := append(slices.Clip(c.literals), x.literal)
	for _, k := range m.byHash[x.hash] {
		if k.weight != x.weight || !m.read(k.literals, m.buffers[0]).Equal(m.read(literals, m.buffers[1])) {
			continue
		}
		if compare(m.literalsOf(literals), m.literalsOf(k.literals)) < 0 {
			k.literals = literals
		}
		return nil
	}
	kept := &conjunction{literals: literals, weight: x.weight, rank: x.rank, hash: x.hash}
	m.byHash[x.hash] = append(m.byHash[x.hash], kept)
	return kept
}

// WithCuts returns the set with an antecedent for each cut, in their order, behind its own. That of
// a cut that asks where a number is missing holds where it is not.
func (s *Set) WithCuts(cuts []dataset.Cut) *Set {
	if len(cuts) == 0 {
		return s
	}
	with := *s
	with.Data = s.Data.WithCuts(cuts)
	with.Antecedents = append([]Antecedent(nil), s.Antecedents...)
	with.Mined += int64(len(cuts))
	for i, cut := range cuts {
		l := Literal{Feature: len(s.Data.Features) + i, Negated: cut.Missing}
		bits := with.Data.Features[l.Feature].Bits
		if l.Negated {
			bits = bits.Complement()
		}
		with.Antecedents = append(with.Antecedents, Antecedent{l.name(with.Data), []Literal{l}, []*bitset.BitSet{bits}})
	}
	return &with
}
