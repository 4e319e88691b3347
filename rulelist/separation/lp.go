package separation

import "math/bits"

// lp is the linear program of a context over some sets of a pool:
//
//	minimise cost·v  subject to  A·v ≥ 1,  0 ≤ v ≤ 1,
//
// with a row for each set and a variable for each rule and each point that
// some row holds. Costs are in units of the price of a rule, so that the
// numbers are of order 1. The entries of A are all 1: rows and columns list
// the places of their ones.
type lp struct {
	sets     []int32 // of each row, the set
	rules    int     // variables before this are rules, the others points
	name     []int32 // of each variable, the rule or the point
	cost     []float64
	rowStart []int32
	rowVar   []int32
	colStart []int32
	colRow   []int32

	variable []int32 // of each rule, then of each point, its variable + 1
}

// build makes the program of the given sets, which are all left in c.
func (m *lp) build(p *Problem, c *Context, l *Pool, sets []int32) {
	m.sets = append(m.sets[:0], sets...)
	if m.variable == nil {
		m.variable = make([]int32, 2*len(p.Columns)+len(p.cost))
	}
	clear(m.variable)
	m.name, m.cost = m.name[:0], m.cost[:0]
	for rule := range 2 * len(p.Columns) {
		if c.IsLive(rule) {
			m.name = append(m.name, int32(rule))
			m.cost = append(m.cost, 1)
			m.variable[rule] = int32(len(m.name))
		}
	}
	m.rules = len(m.name)
	m.rowStart, m.rowVar = append(m.rowStart[:0], 0), m.rowVar[:0]
	for _, k := range m.sets {
		m.addRow(p, c, l, k)
		m.rowStart = append(m.rowStart, int32(len(m.rowVar)))
	}
	m.transpose()
}

func (m *lp) addRow(p *Problem, c *Context, l *Pool, k int32) {
	for q := range c.Live {
		pure := l.pureOn(k, q)
		for i, live := range c.Live[q] {
			for w := pure[i] & live; w != 0; w &= w - 1 {
				m.rowVar = append(m.rowVar, m.variable[2*(i*64+bits.TrailingZeros64(w))+q]-1)
			}
		}
	}
	scale := 1 / float64(p.rule)
	for _, e := range l.Set(k) {
		v := &m.variable[2*len(p.Columns)+int(e)]
		if *v == 0 {
			m.name = append(m.name, e)
			m.cost = append(m.cost, float64(p.pointCost(e))*scale)
			*v = int32(len(m.name))
		}
		m.rowVar = append(m.rowVar, *v-1)
	}
}

// transpose lists the rows of each variable.
func (m *lp) transpose() {
	n := len(m.name)
	m.colStart = resize(m.colStart, n+1)
	clear(m.colStart)
	for _, v := range m.rowVar {
		m.colStart[v+1]++
	}
	for v := range n {
		m.colStart[v+1] += m.colStart[v]
	}
	m.colRow = resize(m.colRow, len(m.rowVar))
	for row := range m.sets {
		for _, v := range m.rowVar[m.rowStart[row]:m.rowStart[row+1]] {
			m.colRow[m.colStart[v]] = int32(row)
			m.colStart[v]++
		}
	}
	copy(m.colStart[1:], m.colStart)
	m.colStart[0] = 0
}

func (m *lp) col(v int) []int32 { return m.colRow[m.colStart[v]:m.colStart[v+1]] }

// kind is 0 for a rule, 1 for a point.
func (m *lp) kind(v int) int {
	if v < m.rules {
		return 0
	}
	return 1
}

// resize returns a slice of n elements, s if it is long enough. What it holds
// is not defined.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	return s[:n]
}
