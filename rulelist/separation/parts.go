package separation

import (
	"cmp"
	"sort"

	"parcorels/loop"
)

// How goroutines share the steps of the LP solver.
//
// The program has parts, each a range of variables and one of rows. How many there are depends
// on its size only, and all sums are taken by part, then over the parts in their order. So
// the weights are the same bits for any number of goroutines. A step has two phases (steps.go), in each of
// which goroutines take one part after the other. Where one gets no core, the others do its parts. The number of parts is
// limited, as each has an array of all variables, and a step adds these up.

const (
	partLeast   = 1 << 16 // entries of a part that are worth a goroutine
	mostParts   = 16
	lineEntries = 6 // entries that cost as much as what a step does for each row anyway
)

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
	loop.Team(min(s.goroutines, len(s.parts)), func(parts func(n int, body func(k int))) {
		each := func(body func(*part)) { parts(len(s.parts), func(k int) { body(&s.parts[k]) }) }
		each(s.moveVars)
		for left := steps - 1; left >= 0; left-- {
			each(s.moveRows)
			each(s.weigh)
			if s.endStep() {
				each(s.distances)
				s.reweigh()
				each(s.restart)
			} else if left > 0 {
				s.turnOver()
			}
		}
		each(s.keep)
	})
	s.improved = false
}
