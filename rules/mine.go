package rules

import (
	"context"
	"math/bits"
	"runtime"
	"slices"

	"github.com/bits-and-blooms/bitset"

	"parcorels/dataset"
	"parcorels/loop"
	"parcorels/optionerr"
)

// The miner goes through the conjunctions level by level, by number of
// literals, as Apriori does (Agrawal and Srikant, VLDB 1994): a conjunction is
// looked at only as the extension of a kept one by a later literal. That
// misses nothing, for two reasons.
//
//   - What captures too little still does with another literal. (What captures
//     too much may not: such wide conjunctions are no antecedents but are kept
//     for extension.)
//   - Every part Y of the simplest conjunction X of a captured set is the
//     simplest of its own: a simpler Y' in its place would make X simpler. So
//     only the simplest conjunction of a captured set needs extending.
//
// No captured set of a conjunction is kept: it is its literals, its weight and a hash of
// its set, and sets are intersected word by word as they are read. So the memory of many
// antecedents does not grow with the samples.

// Mine returns the antecedents of d that o asks for, as described in the
// package comment. It returns a *optionerr.Error when o is out of range, and the
// error of ctx when that ends first.
//
// It uses all processors. Its memory does not depend on the samples but,
// with negations, for a second set per feature. Its time is that of
// intersecting every kept conjunction with every literal.
func Mine(ctx context.Context, d *dataset.Dataset, o Options) (*Set, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	m, err := newMiner(d, o)
	if err != nil {
		return nil, err
	}
	return m.mine(ctx)
}

// mine goes through the levels until ctx ends.
func (m *miner) mine(ctx context.Context) (*Set, error) {
	level := []*conjunction{{weight: m.total}}
	for card := 1; card <= m.options.MaxCard && len(level) > 0; card++ {
		level = m.extendAll(ctx, level, card)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if card == 1 {
			m.keepLiterals(level)
		}
	}
	return m.set(), nil
}

// miner is the state of one call of Mine.
type miner struct {
	data     *dataset.Dataset
	options  Options
	total    int64
	classes  []classSet // all but the first, where conjunctions are ranked
	limits   limits
	buffers  [2]*bitset.BitSet
	literals []literal // in order; once singles are known, only those to extend by

	hash   func(a, b []uint64) uint64 // of the intersection of two sets
	byHash map[uint64][]*conjunction  // everything kept, by hash of the captured set
	pool   []*conjunction             // the antecedents so far
	ranked bool                       // whether those of the pool have ranks, as there may be more than the budget
	floor  *rank                      // what is worse has no place in the budget; nil: nothing
	mined  int64                      // antecedents so far, also those given up
	wide   int                        // how many of 2 and more literals were to be kept for extension only
}

// literal is a literal with its captured set.
type literal struct {
	Literal
	bits   *bitset.BitSet
	weight int64 // of bits, known after the first level
}

// conjunction is one that is kept, as an antecedent or for extension.
type conjunction struct {
	literals []int // indices into miner.literals, ascending
	weight   int64
	rank     rank // if the miner ranks
	hash     uint64
	givenUp  bool
}

func newMiner(d *dataset.Dataset, o Options) (*miner, error) {
	total := d.TotalWeight()
	m := &miner{
		data: d, options: o, total: total, limits: limitsOf(o.MinSupport, total),
		hash: hashIntersection, byHash: map[uint64][]*conjunction{},
		buffers: [2]*bitset.BitSet{bitset.New(uint(d.N)), bitset.New(uint(d.N))},
	}
	forbidden, err := forbidden(d, o.Forbid)
	if err != nil {
		return nil, optionerr.Errorf("Forbid", "option Forbid: %v", err)
	}
	for i, f := range d.Features {
		if !forbidden[Literal{Feature: i}] {
			m.literals = append(m.literals, literal{Literal: Literal{Feature: i}, bits: f.Bits})
		}
		if o.Negations && !f.TwoSided() && !forbidden[Literal{i, true}] {
			m.literals = append(m.literals, literal{Literal: Literal{i, true}, bits: f.Bits.Complement()})
		}
	}
	return m, nil
}

// keepLiterals reduces the literals to those of level, the kept singles.
func (m *miner) keepLiterals(level []*conjunction) {
	slices.SortFunc(level, func(a, b *conjunction) int { return a.literals[0] - b.literals[0] })
	var kept []literal
	for i, c := range level {
		l := m.literals[c.literals[0]]
		l.weight = c.weight
		kept = append(kept, l)
		c.literals[0] = i
	}
	m.literals = kept
}

// extendAll returns the conjunctions of card literals to keep, extensions of
// level, in the order of simplicity, and adds the antecedents among them to the
// pool. It stops when ctx ends.
func (m *miner) extendAll(ctx context.Context, level []*conjunction, card int) []*conjunction {
	m.rankLevel(level)
	var next []*conjunction
	size := max(1, batchSize/max(1, len(m.literals)))
	for batch := range slices.Chunk(level, size) {
		if ctx.Err() != nil {
			return nil
		}
		for i, e := range m.extendBatch(ctx, batch, card) {
			m.mined += e.givenUp
			for _, x := range e.found {
				if c := m.merge(batch[i], x); c != nil && m.place(c, card) {
					next = append(next, c)
				}
			}
		}
		if m.ranked && len(m.pool) > 2*m.options.Budget {
			m.prune()
		}
	}
	m.prune()
	next = slices.DeleteFunc(next, func(c *conjunction) bool { return c.givenUp })
	slices.SortFunc(next, m.simpler)
	return next
}

// place puts c into the pool, if it is an antecedent and not only to be
// extended. It reports whether there is a place for it: of those to be extended
// there may be as many as antecedents, the first that are found.
func (m *miner) place(c *conjunction, card int) bool {
	if c.weight <= m.limits.most {
		m.pool = append(m.pool, c)
		m.mined++
		return true
	}
	if card > 1 {
		m.wide++
	}
	if m.wide > m.options.Budget {
		m.forget(c)
		return false
	}
	return true
}

// simpler compares two conjunctions by the order of simplicity.
func (m *miner) simpler(a, b *conjunction) int {
	return compare(m.literalsOf(a.literals), m.literalsOf(b.literals))
}

// literalsOf looks indices into m.literals up.
func (m *miner) literalsOf(indices []int) []Literal {
	literals := make([]Literal, len(indices))
	for i, l := range indices {
		literals[i] = m.literals[l].Literal
	}
	return literals
}

// set builds what Mine returns.
func (m *miner) set() *Set {
	slices.SortFunc(m.pool, m.simpler)
	s := &Set{Data: m.data, Antecedents: make([]Antecedent, len(m.pool)), Mined: m.mined}
	for i, c := range m.pool {
		literals := m.literalsOf(c.literals)
		s.Antecedents[i] = Antecedent{Name: name(m.data, literals), Literals: literals, Parts: m.parts(c)}
	}
	return s
}

// parts returns the sets of the literals of c.
func (m *miner) parts(c *conjunction) (sets []*bitset.BitSet) {
	for _, l := range c.literals {
		sets = append(sets, m.literals[l].bits)
	}
	return sets
}

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
