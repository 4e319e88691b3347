package separation

import (
	"cmp"
	"runtime"
	"sort"
	"sync"
	"sync/atomic"
	"time"
)

// How goroutines share the steps of the LP solver.
//
// Each has a range of variables and a range of rows, its part, and writes to
// these only. A step has three phases (steps.go), with a barrier behind each. A part
// adds up its entries of Av' over the columns by rising variable, and its entries of
// Aᵀy' over the rows by rising row, in the order in which one goroutine would; sums
// over all are taken by chunks of fixed size, and then over the chunks in their
// order. So the weights are the same bits for any number of goroutines.
//
// A barrier costs about a microsecond where all goroutines run. What limits the
// number of parts is the size of the program: each scans the lists of all that is
// not 0.

const (
	chunk      = 512     // variables or rows in a sum; parts are whole chunks
	partLeast  = 1 << 15 // entries of a part that are worth a goroutine
	mostParts  = 32
	spinRounds = 1 << 14 // looks at a barrier before a goroutine sleeps
)

// team is how many goroutines there may be, and their barrier.
type team struct {
	most    int // goroutines; 0: one
	least   int // entries of a part; 0: partLeast
	arrived atomic.Int32
	turn    atomic.Uint32
}

// part is what one goroutine does of each step.
type part struct {
	vars, rows span
	used       []int32 // variables of the part with v' > 0, ascending
	tight      []int32 // rows of the part with y' > 0, ascending
	work       int64
	colFrom    []int32 // of each variable, where its rows of this part begin in colRow
	colTo      []int32
	rowFrom    []int32 // of each row, where its variables of this part begin in rowVar
	rowTo      []int32
}

// span is a range of indices, from the first to before the second.
type span struct{ from, to int }

// divide makes the parts of the program.
func (s *solver) divide() {
	n := max(1, min(s.most, runtime.GOMAXPROCS(0), mostParts, len(s.rowVar)/cmp.Or(s.least, partLeast)))
	s.parts = resize(s.parts, n)
	if n > 1 {
		s.sortRows()
	}
	vars, rows := spans(s.colStart, n), spans(s.rowStart, n)
	for k := range s.parts {
		p := &s.parts[k]
		p.vars, p.rows = vars[k], rows[k]
		p.colFrom, p.colTo = cut(s.colStart, s.colRow, rows[k], n)
		p.rowFrom, p.rowTo = cut(s.rowStart, s.rowVar, vars[k], n)
	}
	s.varSums = resize(s.varSums, chunks(len(s.name)))
	s.rowSums = resize(s.rowSums, chunks(len(s.sets)))
}

func chunks(n int) int { return (n + chunk - 1) / chunk }

// spans cuts lines, whose entries begin where start says, into n ranges of whole
// chunks with about as many entries each.
func spans(start []int32, n int) []span {
	lines := len(start) - 1
	cuts := make([]span, n)
	for k := range cuts {
		if k > 0 {
			cuts[k].from = cuts[k-1].to
		}
		want := int32(int64(start[lines]) * int64(k+1) / int64(n))
		at := sort.Search(lines, func(i int) bool { return start[i] >= want })
		cuts[k].to = max(cuts[k].from, min(lines, (at+chunk/2)/chunk*chunk))
	}
	cuts[n-1].to = lines
	return cuts
}

// cut returns where the entries of each line begin and end that are within a span.
// One part has all of them, and gets slices of start.
func cut(start, entries []int32, within span, parts int) (begin, end []int32) {
	lines := len(start) - 1
	if parts == 1 {
		return start[:lines], start[1:]
	}
	begin, end = make([]int32, lines), make([]int32, lines)
	for i := range lines {
		line := entries[start[i]:start[i+1]]
		begin[i] = start[i] + int32(sort.Search(len(line), func(k int) bool { return int(line[k]) >= within.from }))
		end[i] = start[i] + int32(sort.Search(len(line), func(k int) bool { return int(line[k]) >= within.to }))
	}
	return begin, end
}

// sortRows puts the variables of each row into rising order.
func (m *lp) sortRows() {
	next := append([]int32(nil), m.rowStart...)
	for v := range m.name {
		for _, row := range m.col(v) {
			m.rowVar[next[row]] = int32(v)
			next[row]++
		}
	}
}

// advance makes some steps and restarts where that pays.
func (s *solver) advance(steps int) {
	var others sync.WaitGroup
	for k := 1; k < len(s.parts); k++ {
		others.Go(func() { s.run(k, steps) })
	}
	s.run(0, steps)
	others.Wait()
	s.improved = false
}

// meet waits for the other goroutines.
func (s *solver) meet() {
	if len(s.parts) == 1 {
		return
	}
	turn := s.turn.Load()
	if s.arrived.Add(1) == int32(len(s.parts)) {
		s.arrived.Store(0)
		s.turn.Add(1)
		return
	}
	for n := 0; s.turn.Load() == turn; n++ {
		if n >= spinRounds { // another one has lost its core: let it have this one
			time.Sleep(10 * time.Microsecond)
		}
	}
}
