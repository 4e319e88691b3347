package short

import (
	"slices"
	"sync/atomic"

	"parcorels/bitvec"
	"parcorels/costs"
	"parcorels/rulelist/problem"
)

// count is a sum of gains, or the difference of two: of two classes at most, so that all is within the sum over
// all classes. Narrow ones take less memory.
type count interface{ int16 | int32 | int64 }

// table is a set of points with conditions on them, and what pairs of these gain.
//
// The counts of pairs of condition t are row t: class by class, what t∩v gains for each v. Rows of all
// conditions are kept if the memory allows. Then only half of them is counted, and the rest is
// written from the other side. If not, rows are counted when they are asked for, and those of some conditions
// at a time are kept (allTriples).
type table[T count] struct {
	s        *search
	prefix   []problem.Antecedent // rules before
	label    int                  // of the last of these
	right    int64                // what is right whatever follows
	names    []problem.Antecedent // of the conditions
	columns  [][]uint64
	matrix   *bitvec.Matrix
	costs    *costs.Table
	classes  int
	n, width int // conditions; with those that fill the last block
	all      []uint64
	gains    []int64         // of all points, by class
	singles  []*costs.Single // count one class each
	single   []T             // of each condition, class by class
	label1   []uint16        // of each condition as first rule
	right1   []int64         // what it gets right as first rule
	rest     []int64         // what it gets right with at most one more rule and a default: R_1
	most     [][]T           // by two classes q, r: the largest D of a last rule outside a condition of the strip
	best     int64           // the most that lists of so many rules as were looked at, and a default, get right: R
	top      int64           // the most that a rule gets right
	counted  bool            // all pairs are
	rows     []T             // all rows, or those of a strip
	memory   *[]T            // for rows
	strip    [2]int          // which rows are kept
	peaks    []T             // by condition, of all conditions outside it (peakSize); nil: they are not known
	prefixes *atomic.Int64
}

// newTable returns a table that is not counted.
func newTable[T count](s *search, columns [][]uint64, names []problem.Antecedent, all []uint64, t *costs.Table) *table[T] {
	c := &table[T]{
		s: s, names: names, columns: columns, costs: t, all: all, n: len(columns), classes: t.Labels,
		memory: new([]T), prefixes: new(atomic.Int64),
	}
	c.matrix = bitvec.NewMatrix(c.n, len(all))
	for i, column := range columns {
		c.matrix.Set(i, column)
	}
	c.width = c.matrix.Blocks() * bitvec.Lanes
	c.gains = make([]int64, c.classes)
	t.Gain(c.gains, all, all)
	return c
}

// row counts the row of a set from a block on.
func (c *table[T]) row(x *costs.Counts, set []uint64, from int, to []T) {
	x.Begin(set)
	c.countBlocks(x, from, c.matrix.Blocks(), to)
}

// countBlocks counts the blocks from..last−1 of the row of the set that x has begun.
func (c *table[T]) countBlocks(x *costs.Counts, from, last int, to []T) {
	x.CountBlocks(c.matrix, from, last)
	for q, gains := range x.Gains {
		narrow(to[q*c.width:], gains, from*bitvec.Lanes, last*bitvec.Lanes)
	}
}

// narrow copies the counts from..last−1.
func narrow[T count](to []T, g []int64, from, last int) {
	to, g = to[from:last], g[from:last]
	for i, x := range g {
		to[i] = T(x)
	}
}

// size is how many counts a row has.
func (c *table[T]) size() int { return c.classes * c.width }

// ones counts the conditions, and looks at the lists of no and of one rule.
func (c *table[T]) ones() {
	c.single, c.label1, c.right1 = make([]T, c.size()), make([]uint16, c.n), make([]int64, c.n)
	c.rest = make([]int64, c.n)
	c.row(c.costs.NewCounts(c.width), c.all, 0, c.single)
	c.best = slices.Max(c.gains)
	for s := range c.n {
		right, rest := int64(-1), int64(0)
		for q, all := range c.gains {
			g := int64(c.single[q*c.width+s])
			if g > right {
				right, c.label1[s] = g, uint16(q)
			}
			rest = max(rest, all-g)
		}
		c.right1[s], c.rest[s] = right, right+rest
		c.best, c.top = max(c.best, c.rest[s]), max(c.top, right)
		if c.rest[s] >= c.need(1, s) {
			c.offer(right+rest, s)
		}
	}
}

// offer offers the prefix with more rules, which get so much right.
func (c *table[T]) offer(right int64, more ...int) {
	list := append(make([]problem.Antecedent, 0, 8), c.prefix...)
	for _, s := range more {
		list = append(list, c.names[s])
	}
	c.s.offer(c.right+right, list...)
}

// need returns what so many more rules, of which the first are given, must get right.
func (c *table[T]) need(rules int, first ...int) int64 {
	list := append(make([]problem.Antecedent, 0, 8), c.prefix...)
	for _, s := range first {
		list = append(list, c.names[s])
	}
	return c.s.need(len(c.prefix)+rules, list...) - c.right
}
