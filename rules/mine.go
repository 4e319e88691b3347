package rules

import (
	"context"
	"slices"

	"parcorels/dataset"
	"parcorels/optionerr"

	"github.com/bits-and-blooms/bitset"
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
