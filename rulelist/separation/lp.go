package separation

import "slices"

// lp is the linear program of a context over some sets of a pool:
//
//	minimise cost·v  subject to  A·v ≥ 1,  0 ≤ v ≤ 1,
//
// with a row for each set and a variable for each live rule and each point of some
// row. Costs are in units of the price of a rule, so that the numbers are of order 1.
// The entries of A are all 1. Those of rules are listed by row and by rule. A row
// has mostly two points, one of either label, so these have arrays of their own.
type lp struct {
	sets  []int32 // of each row, the set
	rules int     // variables before this are rules, the others points, ascending
	name  []int32 // of each variable, the rule or the point
	cost  []float64
	count []int32 // of each variable, its rows
	size  []int32 // of each row, its variables

	rowStart []int32 // the rules of a row are rowRule[rowStart[row]:rowStart[row+1]], ascending in each label
	rowRule  []int32
	colStart []int32 // and the rows of a rule colRow[colStart[rule]:colStart[rule+1]], ascending
	colRow   []int32

	ones, zeros []int32 // of each row, the variables of its first point, of label 1, and of its last, of label 0
	large       []int32 // the rows with more points, ascending
	largeStart  []int32 // their points between are largePoint[largeStart[k]:largeStart[k+1]] of large[k]
	largePoint  []int32

	variable []int32 // of each rule, then of each point, its variable + 1
}

// build makes the program of the given sets, which are all left in c.
func (m *lp) build(p *Problem, c *Context, l *Pool, sets []int32) {
	m.sets = append(m.sets[:0], sets...)
	if m.variable == nil {
		m.variable = make([]int32, p.rules()+len(p.cost))
	}
	clear(m.variable)
	m.name, m.cost = m.name[:0], m.cost[:0]
	for rule := range p.rules() {
		if c.IsLive(rule) {
			m.addVariable(rule, rule, 1)
		}
	}
	m.rules = len(m.name)
	m.namePoints(p, l)
	m.count = resize(m.count, len(m.name))
	clear(m.count)
	m.size = resize(m.size, len(m.sets))
	m.ones, m.zeros = resize(m.ones, len(m.sets)), resize(m.zeros, len(m.sets))
	m.rowStart, m.rowRule = append(m.rowStart[:0], 0), slices.Grow(m.rowRule[:0], c.entries(l, sets))
	m.large, m.largeStart, m.largePoint = m.large[:0], append(m.largeStart[:0], 0), m.largePoint[:0]
	for row, k := range m.sets {
		m.addRules(c, l, k)
		m.rowStart = append(m.rowStart, int32(len(m.rowRule)))
		m.addPoints(p, row, l.Set(k))
		m.size[row] = m.rowStart[row+1] - m.rowStart[row] + int32(len(l.Set(k)))
	}
	m.transpose()
}

func (m *lp) addVariable(at, name int, cost float64) {
	m.name = append(m.name, int32(name))
	m.cost = append(m.cost, cost)
	m.variable[at] = int32(len(m.name))
}

// namePoints makes a variable of each point of a row.
func (m *lp) namePoints(p *Problem, l *Pool) {
	points := m.variable[p.rules():]
	for _, k := range m.sets {
		for _, e := range l.Set(k) {
			points[e] = 1
		}
	}
	scale := 1 / float64(p.rule)
	for e, used := range points {
		if used == 1 {
			m.addVariable(p.rules()+e, e, float64(p.pointCost(Point(e)))*scale)
		}
	}
}

func (m *lp) addRules(c *Context, l *Pool, k int32) {
	for rule := range c.pure(l, k) {
		v := m.variable[rule] - 1
		m.rowRule = append(m.rowRule, v)
		m.count[v]++
	}
}

func (m *lp) addPoints(p *Problem, row int, set []Point) {
	variable := m.variable[p.rules():]
	for i, e := range set {
		v := variable[e] - 1
		m.count[v]++
		switch i {
		case 0:
			m.ones[row] = v
		case len(set) - 1:
			m.zeros[row] = v
		default:
			m.largePoint = append(m.largePoint, v)
		}
	}
	if len(set) > 2 {
		m.large = append(m.large, int32(row))
		m.largeStart = append(m.largeStart, int32(len(m.largePoint)))
	}
}

// transpose lists the rows of each rule.
func (m *lp) transpose() {
	m.colStart = resize(m.colStart, m.rules+1)
	m.colStart[0] = 0
	for v := range m.rules {
		m.colStart[v+1] = m.colStart[v] + m.count[v]
	}
	m.colRow = resize(m.colRow, len(m.rowRule))
	for row := range m.sets {
		for _, v := range m.rowRule[m.rowStart[row]:m.rowStart[row+1]] {
			m.colRow[m.colStart[v]] = int32(row)
			m.colStart[v]++
		}
	}
	copy(m.colStart[1:], m.colStart)
	m.colStart[0] = 0
}

// entries is the number of ones of A.
func (m *lp) entries() int { return len(m.rowRule) + 2*len(m.sets) + len(m.largePoint) }

// resize returns a slice of n elements, s if it is long enough. Its content is
// not defined.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	return s[:n]
}
