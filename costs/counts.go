package costs

import (
	"iter"
	"math/bits"

	"parcorels/bitvec"
)

// Counts are what columns of a matrix gain in a set, and what is known of each column by that.
type Counts struct {
	Gains   [][]int64 // by label and column
	Missing [][]int64 // of more than two labels, what Own has of the points of a label, by label and column
	All     []int64   // gains of the set, by label
	Lacking []int64   // of more than two labels, what Own has of the points of a label in the set
	Total   int64     // what the set costs at most

	table   *Table
	two     [2][]int64       // Gains, of two labels
	progs   []bitvec.Program // of the passes
	spare   bitvec.Program   // of the surplus
	lacks   []bitvec.Program // of what is missing
	surplus []int64          // by column
	none    []int64          // what kernels count of the class that is not there
	columns []Column         // of more than two labels
}

// Column is what a rule of a column does in a set, and a default behind it.
type Column struct {
	Label  int
	Cost   int64 // what the rule captures costs at most
	Errors int64 // of the rule, with the best label
	Stop   int64 // of the best default behind it
}

// Counter counts every column of a matrix in the set of a program, or reports false if it is to end early.
type Counter func(prog *bitvec.Program, g1, g0 []int64) bool

// NewCounts returns counts of so many columns, those that fill the last block of a matrix included.
func (t *Table) NewCounts(columns int) *Counts {
	x := &Counts{table: t, All: make([]int64, t.Labels), progs: make([]bitvec.Program, len(t.passes))}
	x.Gains = perLabel(t.Labels, columns)
	if t.Labels == 2 {
		x.two = [2][]int64(x.Gains)
		return x
	}
	x.Missing, x.Lacking = x.Gains, x.All
	x.none, x.columns = make([]int64, columns), make([]Column, columns)
	if t.surplus != nil {
		x.surplus, x.lacks = make([]int64, columns), make([]bitvec.Program, t.Labels)
		x.Missing, x.Lacking = perLabel(t.Labels, columns), make([]int64, t.Labels)
	}
	return x
}

// CountBytes is the size of counts of so many columns.
func (t *Table) CountBytes(columns int) int64 {
	if t.Labels == 2 {
		return int64(columns) * 2 * 8
	}
	return int64(columns) * int64(2*8*t.Labels+6*8)
}

func perLabel(labels, n int) [][]int64 {
	all := make([][]int64, labels)
	for q := range all {
		all[q] = make([]int64, n)
	}
	return all
}

// CountGains counts what every column gains in u, and what u gains.
func (x *Counts) CountGains(u []uint64, count Counter) bool {
	x.Total = x.table.Gain(x.All, u, u)
	for q, planes := range x.table.passes {
		planes.Compile(&x.progs[q], u)
		g1, g0 := x.pass(q)
		if !count(&x.progs[q], g1, g0) {
			return false
		}
	}
	return true
}

// Begin makes u the set in which CountBlocks counts.
func (x *Counts) Begin(u []uint64) {
	for q, planes := range x.table.passes {
		planes.Compile(&x.progs[q], u)
	}
}

// CountBlocks counts what the columns of the blocks from..to−1 of a matrix gain in the set of Begin.
func (x *Counts) CountBlocks(m *bitvec.Matrix, from, to int) {
	for q := range x.progs {
		g1, g0 := x.pass(q)
		m.Count(&x.progs[q], from, to, g1, g0)
	}
}

// pass returns where a pass counts.
func (x *Counts) pass(q int) (g1, g0 []int64) {
	if x.columns == nil {
		return x.Gains[1], x.Gains[0]
	}
	return x.Gains[q], x.none
}

// Count counts what every column gains in u, and what is known by that.
func (x *Counts) Count(u []uint64, count Counter) bool {
	if s := x.table.surplus; s != nil {
		s.Compile(&x.spare, u)
		if !count(&x.spare, x.surplus, x.none) {
			return false
		}
	}
	if !x.CountGains(u, count) {
		return false
	}
	for col := range x.columns {
		x.weigh(col)
	}
	return true
}

// CountMissing counts what Own has of the points of each label, in u and in every column.
func (x *Counts) CountMissing(u []uint64, count Counter) bool {
	for q := range x.lacks {
		planes := x.table.missing[q]
		planes.Compile(&x.lacks[q], u)
		if x.Lacking[q], _ = planes.Cost(u); !count(&x.lacks[q], x.Missing[q], x.none) {
			return false
		}
	}
	return true
}

// Leave makes x the counts of what a column of y leaves of its set, u, without those of columns, which Block counts.
func (x *Counts) Leave(y *Counts, col int, u []uint64) {
	for q, gains := range y.Gains {
		x.All[q] = y.All[q] - gains[col]
	}
	x.Begin(u)
	if x.columns == nil {
		x.Total = x.All[1] + x.All[0]
		return
	}
	x.Total = y.Total - y.columns[col].Cost
	for q, missing := range y.Missing {
		x.Lacking[q] = y.Lacking[q] - missing[col]
	}
	if s := x.table.surplus; s != nil {
		s.Compile(&x.spare, u)
		for q, planes := range x.table.missing {
			planes.Compile(&x.lacks[q], u)
		}
	}
}

// Block counts the columns of one block of a matrix in the set of Leave.
func (x *Counts) Block(m *bitvec.Matrix, block int) {
	x.CountBlocks(m, block, block+1)
	if x.columns == nil {
		return
	}
	if x.surplus != nil {
		m.Count(&x.spare, block, block+1, x.surplus, x.none)
		for q := range x.lacks {
			m.Count(&x.lacks[q], block, block+1, x.Missing[q], x.none)
		}
	}
	for col := block * bitvec.Lanes; col < (block+1)*bitvec.Lanes; col++ {
		x.weigh(col)
	}
}

// weigh makes what is known of a column of its gains and its surplus.
func (x *Counts) weigh(col int) {
	cost, most, label, left := int64(0), int64(-1), 0, int64(0)
	if x.surplus != nil {
		cost = -x.surplus[col]
	}
	for q, gains := range x.Gains {
		g := gains[col]
		cost += g
		if g > most {
			most, label = g, q
		}
		left = max(left, x.All[q]-g)
	}
	x.columns[col] = Column{label, cost, cost - most, x.Total - cost - left}
}

// Within returns which of the columns from col on, as many as there are bits, may gain more than
// support and err less than room. It tests without branches, because few columns pass.
func (x *Counts) Within(col int, columns uint64, support, room int64) uint64 {
	if x.columns != nil {
		return columns
	}
	a, b := x.two[1][col:col+bitvec.Lanes], x.two[0][col:col+bitvec.Lanes]
	var pass uint64
	for i := range bitvec.Lanes {
		pass |= uint64((support-max(a[i], b[i]))&(min(a[i], b[i])-room)) >> 63 << i
	}
	return columns & pass
}

// Errors returns what a rule of a column errs.
func (x *Counts) Errors(col int) int64 {
	if x.columns != nil {
		return x.columns[col].Errors
	}
	return min(x.two[1][col], x.two[0][col])
}

// Cost returns what a column captures costs at most.
func (x *Counts) Cost(col int) int64 {
	if x.columns != nil {
		return x.columns[col].Cost
	}
	return x.two[1][col] + x.two[0][col]
}

// Among yields those of the first n columns that Within leaves, in order.
func (x *Counts) Among(n int, support, room int64) iter.Seq[int] {
	return func(yield func(int) bool) {
		for from := 0; from < n; from += bitvec.Lanes {
			for m := x.Within(from, 1<<bitvec.Lanes-1, support, room); m != 0; m &= m - 1 {
				if col := from + bits.TrailingZeros64(m); col >= n || !yield(col) {
					return
				}
			}
		}
	}
}

// Column returns what is known of a column.
func (x *Counts) Column(col int) Column {
	if x.columns != nil {
		return x.columns[col]
	}
	a, b := x.two[1][col], x.two[0][col]
	c := Column{0, a + b, min(a, b), min(x.All[1]-a, x.All[0]-b)}
	if a > b {
		c.Label = 1
	}
	return c
}
