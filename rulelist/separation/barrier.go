package separation

import (
	"cmp"
	"parcorels/loop"
	"sort"
	"sync/atomic"
)

// How goroutines share the steps of the LP solver.
//
// The program has parts, each a range of variables and one of rows. How many there are depends
// on its size only, and all sums are taken by part, then over the parts in their order. So
// the weights are the same bits for any number of goroutines. A goroutine does one part or
// several. A step has two phases (steps.go) with a barrier behind each, and the last goroutine
// that arrives at the second one ends the step for all.
//
// The first goroutine begins alone with all parts, and others are admitted between two
// steps, when they are there. Where other processes have the cores a barrier takes as long
// as their turns: so after some at which one slept, the first goroutine does all parts again,
// for ever more calls. The number of parts is limited, as each has an array of
// all variables, and a step adds these up.

const (
	partLeast   = 1 << 16 // entries of a part that are worth a goroutine
	mostParts   = 16
	lineEntries = 6 // entries that cost as much as what a step does for each row anyway
	mostLate    = 8
	longestRest = 1 << 8 // calls of advance
)

// barrier is where the goroutines of some steps wait for each other.
type barrier struct {
	helpers   *loop.Pool
	least     int      // entries of a part; 0: partLeast
	patience  int32    // barriers at which one slept before one does it all; 0: mostLate
	eager     bool     // a test waits for all before the first step
	_         [64]byte // what all write is on a line of its own
	arrived   atomic.Int32
	turn      atomic.Uint32
	late      atomic.Int32 // barriers at which one slept
	ready     atomic.Int32 // goroutines that wait to be admitted, or were
	admitted  atomic.Int32 // those before this number are
	_         [64]byte
	running   int  // goroutines at present
	remaining int  // steps
	solo      bool // the first one goes on alone
	rest      int  // calls of advance for which it does
	resting   int  // of them, that are left
}

// part is a range of variables and one of rows, and what a step finds there.
type part struct {
	vars, rows span
	large      span      // of the list of rows with more than two points
	colFrom    []int32   // of each rule, where its rows of this part begin in colRow
	colTo      []int32   // and end
	load       []float64 // of the rows of this part on each variable
	tight      []int32   // rows of the part with y' > 0, ascending
	work       int64

	moved, ahead   float64 // squared lengths of this step and the next one
	value, penalty float64
	_              [64]byte
}

// span is a range of indices, from the first to before the second.
type span struct{ from, to int }

// divide makes the parts of the program: a power of two, so that two or four goroutines
// have as many each.
func (s *solver) divide() {
	n, rows := len(s.name), len(s.sets)
	weight := s.entries() + lineEntries*rows
	parts := 1
	for parts < mostParts && 2*parts*cmp.Or(s.least, partLeast) <= weight {
		parts *= 2
	}
	s.parts = resize(s.parts, parts)
	at, sum := 0, 0
	for k := range s.parts {
		p := &s.parts[k]
		p.vars = span{k * n / parts, (k + 1) * n / parts}
		p.rows.from = at
		for at < rows && (k == parts-1 || sum*parts < weight*(k+1)) {
			sum += lineEntries + int(s.size[at])
			at++
		}
		p.rows.to = at
		p.load = resize(p.load, n)
		p.colFrom, p.colTo = s.cutColumns(p.rows)
		p.large = span{place(s.large, p.rows.from), place(s.large, p.rows.to)}
	}
}

// cutColumns returns where the rows of each rule begin and end that are within a span.
func (m *lp) cutColumns(within span) (begin, end []int32) {
	if within.from == 0 && within.to == len(m.sets) {
		return m.colStart[:m.rules], m.colStart[1:]
	}
	begin, end = make([]int32, m.rules), make([]int32, m.rules)
	for v := range begin {
		rows := m.colRow[m.colStart[v]:m.colStart[v+1]]
		begin[v] = m.colStart[v] + int32(place(rows, within.from))
		end[v] = m.colStart[v] + int32(place(rows, within.to))
	}
	return begin, end
}

// place returns how many numbers of an ascending list are smaller than one.
func place(list []int32, n int) int {
	return sort.Search(len(list), func(k int) bool { return int(list[k]) >= n })
}

// advance makes some steps and restarts where that pays.
func (s *solver) advance(steps int) {
	s.remaining, s.running, s.solo = steps, 1, min(len(s.parts), s.helpers.Size()) == 1
	s.arrived.Store(0)
	s.ready.Store(0)
	s.admitted.Store(1)
	s.late.Store(0)
	for k := range s.parts {
		s.moveVars(&s.parts[k])
	}
	lead := func() {
		if s.eager && !s.solo {
			loop.Wait(func() bool { return int(s.ready.Load()) >= min(len(s.parts), s.helpers.Size())-1 })
			s.admit()
			s.admitted.Store(int32(s.running))
		}
		s.run(0)
		s.admitted.Store(nobody)
	}
	switch {
	case s.solo:
		lead()
	case s.resting > 0:
		s.resting--
		s.solo = true
		lead()
	default:
		s.helpers.Together(lead, s.join)
		if !s.solo {
			s.rest = 0
			break
		}
		s.rest = min(2*s.rest+1, longestRest)
		s.resting = s.rest
	}
	for k := range s.parts {
		s.keep(&s.parts[k])
	}
	s.improved = false
}

// nobody is an admitted that lets no one in.
const nobody = -1

// admit counts those who are ready among the running, from the next step on. They still wait
// until admitted says so.
func (s *solver) admit() {
	s.running = max(s.running, min(len(s.parts), 1+int(s.ready.Load())))
}

// mine returns the parts of a goroutine.
func (s *solver) mine(k int) []part {
	n := len(s.parts)
	return s.parts[k*n/s.running : (k+1)*n/s.running]
}

// join takes part in steps, from when it is admitted until the last one.
func (s *solver) join() {
	k := s.ready.Add(1)
	if int(k) >= len(s.parts) {
		return
	}
	if s.isAdmitted(k) {
		s.run(int(k))
	}
}

// isAdmitted waits until a goroutine is admitted, or nobody is any more.
func (b *barrier) isAdmitted(k int32) bool {
	n := b.admitted.Load()
	loop.Wait(func() bool { n = b.admitted.Load(); return n == nobody || n > k })
	return n != nobody
}

// meet waits for the other goroutines. The last one to arrive acts for all.
//
// Those whom it admits are let in after the turn has changed. Otherwise one of them could arrive
// at the next barrier before, wait for the change of this turn, and pass too early. As they are
// counted among the running, no other goroutine ends a step, or the last one, before they are in.
func (b *barrier) meet(act func()) {
	turn, before := b.turn.Load(), b.running
	if before == 1 || b.arrived.Add(1) == int32(before) {
		b.arrived.Store(0)
		act()
		now := b.running
		b.turn.Add(1)
		if now > before {
			b.admitted.Store(int32(now))
		}
		return
	}
	if loop.Wait(func() bool { return b.turn.Load() != turn }) {
		b.late.Add(1)
	}
}
