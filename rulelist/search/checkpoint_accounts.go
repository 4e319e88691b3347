package search

import (
	"context"
	"encoding/binary"
	"sync/atomic"
)

// What a checkpoint says of the separation bound (pruning 10): whether the root is bounded,
// and the accounts of ascents.
//
// A search that was resumed without them took seven times the expansions of one that ran
// straight (a table of 569 samples and 300 antecedents, λ = .007): ascents may cost what they
// have earned, and with accounts at zero they have earned nothing where most prefixes are.
// Nor did it bound the root where a trial (trial.go) had shown that to be worth it.
//
// The LP itself is solved again: its weights are many, and it takes a second or two.

// separationMark is how far a search was with the separation bound.
type separationMark struct {
	trial, trialWork int64 // work left of a trial, and its work as a whole; 0: none
	ahead            int64 // the estimated work of the search, 0 where the root is not bounded
	share            int64
	numbers          [3 + 4*ascentLevels]int64 // of the accounts
}

// mostMarked bounds each number, so that no sum of them overflows. It is a year of work.
const mostMarked = 1 << 53

// all returns what is written.
func (m *separationMark) all() []*int64 {
	fields := []*int64{&m.trial, &m.trialWork, &m.ahead, &m.share}
	for i := range m.numbers {
		fields = append(fields, &m.numbers[i])
	}
	return fields
}

// marked is how far the search is. Workers stand still or have ended.
func (s *search) marked() (m separationMark) {
	switch x := s.separated; {
	case s.undecided != nil:
		m = *s.undecided
	case x != nil && x.root != nil:
		m.ahead, m.share = x.ascents.ahead, x.ascents.share
		x.ascents.each(func(i int, n *atomic.Int64) { m.numbers[i] = n.Load() })
	case x == nil && s.trial > 0:
		m.trial, m.trialWork = max(1, s.trial-s.tried.Load()), s.trialWork
	}
	return m
}

// append appends the mark to what a checkpoint begins with.
func (m *separationMark) append(b []byte) []byte {
	for _, n := range m.all() {
		b = binary.AppendUvarint(b, uint64(min(*n, mostMarked)))
	}
	return b
}

// read reads it.
func (m *separationMark) read(f *fields) {
	for _, n := range m.all() {
		*n = int64(f.numberTo(mostMarked))
	}
	f.bad = f.bad || m.ahead > 0 && m.share == 0
}

// goOn bounds the root as the search did that was resumed, or continues its trial.
func (m *separationMark) goOn(ctx context.Context, s *search) {
	if m.trial > 0 {
		s.tryFor(m.trial, m.trialWork)
		return
	}
	s.boundRoot(ctx, m.ahead)
	m.ascents(s)
}

// each calls f with all numbers of the accounts, in the order of a checkpoint.
func (a *ascents) each(f func(i int, n *atomic.Int64)) {
	for i, n := range []*atomic.Int64{&a.made, &a.earned, &a.counted} {
		f(i, n)
	}
	for i := range a.levels {
		l := &a.levels[i]
		for j, n := range []*atomic.Int64{&l.spent, &l.earned, &l.expanded, &l.children} {
			f(3+4*i+j, n)
		}
	}
}
