package separation

import (
	"cmp"
	"runtime"
	"slices"
	"sort"
	"sync"
	"sync/atomic"
	"time"
)

// How goroutines share the steps of the LP solver.
//
// Each has a range of variables and a range of rows, its part, and writes to
// these only. A step has three phases (steps.go), with a barrier behind each. What rows
// load on a rule is added up by chunks of rows, whose number does not depend on that of
// the goroutines, and then over the chunks in their order; what they load on a point by
// rising row; and Av' over the rules by rising variable. Other sums are taken by chunks
// as well. So the weights are the same bits for any number of goroutines.
//
// A barrier costs about a microsecond where all goroutines run. Where other processes
// have the cores it takes as long as their turns: so after some at which one slept, one
// goroutine does the parts of all, for ever longer. What limits the number of parts is
// the size of the program: each goes through the list of all rows with y > 0.

const (
	chunk       = 512     // variables or rows in a sum; parts are whole chunks
	partLeast   = 1 << 15 // entries of a part that are worth a goroutine
	mostParts   = 16
	lineEntries = 6       // entries that cost as much as what a step does for each row or variable anyway
	spinRounds  = 1 << 18 // looks at a barrier before a goroutine sleeps: more than a phase takes
	mostLate    = 12
	longestRest = 1 << 8 // calls of advance
)

// team is how many goroutines there may be, and their barrier.
type team struct {
	most     int      // goroutines; 0: one
	least    int      // entries of a part; 0: partLeast
	patience int32    // barriers at which one slept before one does it all; 0: mostLate
	_        [64]byte // what all write is on a line of its own
	arrived  atomic.Int32
	turn     atomic.Uint32
	late     atomic.Int32 // barriers at which one slept
	_        [64]byte
	running  int  // goroutines at present
	solo     bool // the first one goes on alone
	rest     int  // calls of advance for which it does
	resting  int  // of them, that are left
}

// part is what one goroutine does of each step.
type part struct {
	vars, rows span
	large      span    // of the list of rows with more than two points
	tight      []int32 // rows of the part with y' > 0, ascending
	work       int64
	colFrom    []int32 // of each rule, where its rows of this part begin in colRow
	colTo      []int32
}

// span is a range of indices, from the first to before the second.
type span struct{ from, to int }

// divide makes the parts of the program.
func (s *solver) divide() {
	n, rows := len(s.name), len(s.sets)
	s.rowChunk = max(chunk, (rows+mostParts-1)/mostParts)
	s.varSums = resize(s.varSums, chunks(n, chunk))
	s.rowSums = resize(s.rowSums, chunks(rows, s.rowChunk))
	s.loads = resize(s.loads, len(s.rowSums)*s.rules)
	weight := s.entries() + lineEntries*(n+rows)
	s.parts = resize(s.parts, max(1, min(s.most, runtime.GOMAXPROCS(0), mostParts, weight/cmp.Or(s.least, partLeast))))
	parts := len(s.parts)
	loaded := slices.Clone(s.count)
	for v := range s.rules { // their loads are added up by chunk
		loaded[v] = int32(len(s.rowSums))
	}
	vars := spans(loaded, lineEntries, chunk, parts)
	lines := spans(s.size, lineEntries, s.rowChunk, parts)
	for k := range s.parts {
		p := &s.parts[k]
		p.vars, p.rows = vars[k], lines[k]
		p.colFrom, p.colTo = s.cutColumns(p.rows)
		p.large = span{place(s.large, p.rows.from), place(s.large, p.rows.to)}
	}
}

func chunks(n, size int) int { return (n + size - 1) / size }

// spans cuts lines of so many entries, and some others, into ranges of whole chunks with
// about as many entries each.
func spans(entries []int32, others, size, parts int) []span {
	cuts := make([]span, parts)
	total := others * len(entries)
	for _, n := range entries {
		total += int(n)
	}
	at, sum := 0, 0
	for k := range cuts {
		cuts[k].from = at
		for at < len(entries) && (k == parts-1 || sum*parts < total*(k+1)) {
			for range min(size, len(entries)-at) {
				sum += others + int(entries[at])
				at++
			}
		}
		cuts[k].to = at
	}
	return cuts
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

// share calls do for 0 to n-1, in up to so many goroutines.
func share(goroutines, n int, do func(int)) {
	var next atomic.Int32
	work := func() {
		for k := int(next.Add(1)) - 1; k < n; k = int(next.Add(1)) - 1 {
			do(k)
		}
	}
	var others sync.WaitGroup
	for range min(goroutines, n) - 1 {
		others.Go(work)
	}
	work()
	others.Wait()
}

// advance makes some steps and restarts where that pays.
func (s *solver) advance(steps int) {
	s.running, s.solo = len(s.parts), s.resting > 0
	if s.solo {
		s.resting--
		s.running = 1
	}
	s.late.Store(0)
	var others sync.WaitGroup
	for k := 1; k < s.running; k++ {
		others.Go(func() { s.run(k, k+1, steps) })
	}
	alone := s.solo
	s.run(0, len(s.parts)/s.running, steps)
	others.Wait()
	switch {
	case !s.solo:
		s.rest = 0
	case !alone:
		s.rest = min(2*s.rest+4, longestRest)
		s.resting = s.rest
	}
	s.improved = false
}

// meet waits for the other goroutines.
func (s *solver) meet() {
	running, turn := s.running, s.turn.Load()
	if running == 1 {
		return
	}
	if s.arrived.Add(1) == int32(running) {
		s.arrived.Store(0)
		s.turn.Add(1)
		return
	}
	for n := 0; s.turn.Load() == turn; n++ {
		if n == spinRounds {
			s.late.Add(1)
		}
		if n >= spinRounds { // another one has lost its core: let it have this one
			time.Sleep(10 * time.Microsecond)
		}
	}
}
