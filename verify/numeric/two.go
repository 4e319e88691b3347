package numeric

import (
	"cmp"
	"slices"
)

// Sets with two levels and fewer, from the samples alone.

// one returns the value of a leaf.
func (c *checker) one(p *part) int64 { return c.unit*(p.weight-slices.Max(p.counts)) + c.price }

// stump returns the least value of one split of a set and the first split that has it.
func (c *checker) stump(p *part) (value int64, column, end int) {
	value = far
	for h := range p.lists {
		if v, e := c.stumpOf(p, h); v < value {
			value, column, end = v, h, e
		}
	}
	return value, column, end
}

// stumpOf is stump of one column.
func (c *checker) stumpOf(p *part, column int) (value int64, end int) {
	value = far
	left, right, ranks, list := make([]int64, c.classes), slices.Clone(p.counts), c.ranks[column], p.lists[column]
	for i, x := range list {
		if i > 0 && ranks[x] != ranks[list[i-1]] {
			if v := c.unit*(p.weight-slices.Max(left)-slices.Max(right)) + 2*c.price; v < value {
				value, end = v, i
			}
		}
		left[c.class[x]] += c.weight[x]
		right[c.class[x]] -= c.weight[x]
	}
	return value, end
}

// # What a stump gets right
//
// Let r(S) be the most weight of a set S that one split on a column gets right. With A within B,
// r(A) ≤ r(B) and r(B) ≤ r(A) + w(B∖A). So places that were looked at bound what each column gets
// right of both sides of a place between, and only columns are tried whose bound is above what
// another one gets right.
//
// # What a first split on a column leaves
//
// Let F(S) be the least value of trees of two levels that part a set S by one column first, and
// V_1(S) that of trees of one level. With A within B, the best such tree of A parts B as well:
// F(B) ≤ F(A) + unit·w(B∖A). The best one of B parts A by its first split, too, or A is all
// on one side of that, and the other side is a leaf of B: F(B) ≥ min(F(A), V_1(A) + price). So F of
// a set next to this one bounds it from below, and columns with a bound of at least what is known are
// left out. The value V_2 of the best tree is bounded from above: V_2(A) ≤ V_2(B) ≤ V_2(A) + unit·w(B∖A).

// sweep is the places of a set in the order of one column, both sides of which are solved by a
// split each.
type sweep struct {
	*checker
	*part
	ends    []int
	weights []int64  // in front of each place
	begins  [][]bool // by column and place in its list: a rank begins there, and is not the first
	passed  []passed // by part of the samples
	whole   solvedOne
	budget  int64
	low     int64 // lower bound of the places that were left
	best    int   // place; 0: none
	inOrder bool
	side    side
}

// solvedOne is a set solved with one level.
type solvedOne struct {
	value int64
	right []int64 // by column: what a split on it gets right; 0 for none
}

// solvedTwo is a set solved with two levels.
type solvedTwo struct {
	value, one int64
	first      []int64 // by column: lower bound of trees that split on it first
}

// passed is what a look has to know of a part of the samples.
type passed struct {
	inFront int32 // parts in front of it
	class   int32
	weight  int64
}

// side is one side of a place, along which a threshold is moved.
type side struct {
	all      []int64 // weight by class
	in, rest []int64 // in front of the threshold, and behind it
}

// place is a place with the values of its sides.
type place struct {
	at              int
	left, right     int64
	ofLeft, ofRight []int64 // by column: no split on it gets more of that side right
}

// begins returns where ranks begin in each list but for the first.
func (c *checker) begins(p *part) [][]bool {
	begins := make([][]bool, len(p.lists))
	for h, list := range p.lists {
		begins[h] = make([]bool, len(list))
		for i := 1; i < len(list); i++ {
			begins[h][i] = c.ranks[h][list[i]] != c.ranks[h][list[i-1]]
		}
	}
	return begins
}

// solveOne solves a set with one level.
func (c *checker) solveOne(p *part) solvedOne {
	one := solvedOne{c.one(p), make([]int64, len(p.lists))}
	for h := range p.lists {
		if v, _ := c.stumpOf(p, h); v < far {
			one.value = min(one.value, v)
			one.right[h] = p.weight - (v-2*c.price)/c.unit
		}
	}
	return one
}

func (c *checker) newSweep(p *part, begins [][]bool, column int, whole solvedOne) *sweep {
	s := &sweep{checker: c, part: p, ends: c.ends(p, column), begins: begins, passed: make([]passed, len(c.class)), whole: whole,
		low: far}
	s.weights = c.inFront(p, column, s.ends)
	for i, x := range p.lists[column] {
		s.passed[x] = passed{int32(i), int32(c.class[x]), c.weight[x]}
	}
	s.side = side{make([]int64, c.classes), make([]int64, c.classes), make([]int64, c.classes)}
	return s
}

// look solves both sides of a place between two: each by a leaf or one split.
func (s *sweep) look(at int, a, b place) place {
	m := place{at: at, ofLeft: slices.Clone(b.ofLeft), ofRight: slices.Clone(a.ofRight)}
	for h := range m.ofLeft {
		m.ofLeft[h] = min(m.ofLeft[h], a.ofLeft[h]+s.weights[at]-s.weights[a.at])
		m.ofRight[h] = min(m.ofRight[h], b.ofRight[h]+s.weights[b.at]-s.weights[at])
	}
	end := int32(s.ends[at])
	clear(s.side.all)
	for _, x := range s.lists[0] {
		if p := &s.passed[x]; p.inFront < end {
			s.side.all[p.class] += p.weight
		}
	}
	m.left = s.solve(s.weights[at], end, 0, m.ofLeft)
	for c, w := range s.counts {
		s.side.all[c] = w - s.side.all[c]
	}
	m.right = s.solve(s.part.weight-s.weights[at], end, -1, m.ofRight)
	return m
}

// solve solves the side in front of an end, or with isRight of −1 the one behind, which weighs so much.
// Right has a bound for each column, and what it gets right where that was tried.
func (s *sweep) solve(weight int64, end, isRight int32, right []int64) int64 {
	one := slices.Max(s.side.all)
	for two := one; ; {
		next := 0
		for h, r := range right {
			if r > right[next] {
				next = h
			}
		}
		if right[next] <= two {
			return min(s.unit*(weight-one)+s.price, s.unit*(weight-two)+2*s.price)
		}
		if s.classes == 2 {
			right[next] = s.rightOfTwo(next, end, isRight)
		} else {
			right[next] = s.right(next, end, isRight)
		}
		two = max(two, right[next])
	}
}

// rightOfTwo returns the most that a split on a column gets right of a side, of two classes. It has no
// branch that depends on which side a sample is on.
func (s *sweep) rightOfTwo(column int, end, isRight int32) int64 {
	begins, best, ahead := s.begins[column], int64(0), int64(0) // ahead: class 0 less class 1, in front
	for i, x := range s.lists[column] {
		if begins[i] {
			best = max(best, ahead+s.side.all[1], s.side.all[0]-ahead)
		}
		p := &s.passed[x]
		w := p.weight & int64((p.inFront-end)>>31^isRight)
		ahead += w - 2*w*int64(p.class)
	}
	return best
}

// right is rightOfTwo of any number of classes.
func (s *sweep) right(column int, end, isRight int32) (best int64) {
	in, rest := s.side.in, s.side.rest
	clear(in)
	copy(rest, s.side.all)
	most, mostRest := int64(0), slices.Max(rest)
	begins := s.begins[column]
	for i, x := range s.lists[column] {
		if begins[i] {
			best = max(best, most+mostRest)
		}
		p := &s.passed[x]
		if (p.inFront-end)>>31^isRight == 0 {
			continue
		}
		in[p.class] += p.weight
		most = max(most, in[p.class])
		if rest[p.class] -= p.weight; rest[p.class]+p.weight == mostRest {
			mostRest = slices.Max(rest)
		}
	}
	return best
}

// between looks for a place between two whose value is below the budget. In order it ends at the
// first; otherwise each that is found is the new budget.
func (s *sweep) between(a, b place) bool {
	first, last := a.at+1, b.at-1
	for first <= last && boundOf(s.weights, s.unit, first, a, b) >= s.budget {
		first++
	}
	for first <= last && boundOf(s.weights, s.unit, last, a, b) >= s.budget {
		last--
	}
	if first > last {
		if b.at-a.at > 1 { // of the bounds of both ends the larger is at least the mean
			less := s.unit * (s.weights[b.at] - s.weights[a.at])
			s.low = min(s.low, max(a.left+b.right, b.left+a.right-less, (a.left+a.right+b.left+b.right-less)/2))
		}
		return false
	}
	m := s.look((first+last)/2, a, b)
	s.low = min(s.low, m.left+m.right)
	if s.inOrder {
		if s.between(a, m) {
			return true
		}
		if m.left+m.right < s.budget {
			s.best = m.at
			return true
		}
		return s.between(m, b)
	}
	if v := m.left + m.right; v < s.budget {
		s.budget, s.best = v, m.at
	}
	s.between(a, m)
	return s.between(m, b)
}

// boundOf is the lower bound, of the package comment, of the value of a place between two.
func boundOf(weights []int64, unit int64, at int, a, b place) int64 {
	return max(a.left, b.left-unit*(weights[b.at]-weights[at])) + max(b.right, a.right-unit*(weights[at]-weights[a.at]))
}

// twoLevels solves a set with two levels. Beside it may be another one, larger or smaller
// by a weight, of which the value is known.
func (c *checker) twoLevels(p *part, beside *solvedTwo, larger bool, weight int64) solvedTwo {
	whole, begins := c.solveOne(p), c.begins(p)
	r := solvedTwo{whole.value, whole.value, slices.Repeat([]int64{2 * c.price}, len(p.lists))}
	columns := make([]int, len(p.lists))
	for h := range columns {
		columns[h] = h
		switch {
		case beside == nil:
		case !larger:
			r.first[h] = max(r.first[h], min(beside.first[h], beside.one+c.price))
		case beside.first[h] < far:
			r.first[h] = max(r.first[h], beside.first[h]-c.unit*weight)
		}
	}
	if beside != nil {
		if larger {
			weight = 0
		}
		r.value = min(r.value, beside.value+c.unit*weight)
	}
	slices.SortStableFunc(columns, func(a, b int) int { return cmp.Compare(r.first[a], r.first[b]) })
	middles := make([]place, len(columns))
	if beside == nil { // the columns that seem best lower the budget of the others
		for h := range columns {
			s := c.newSweep(p, begins, h, whole)
			if last := len(s.ends) - 1; last > 1 {
				middles[h] = s.look(last/2, s.first(), s.last())
				r.value = min(r.value, middles[h].left+middles[h].right)
			}
		}
		slices.SortStableFunc(columns, func(a, b int) int {
			return cmp.Compare(middles[a].left+middles[a].right, middles[b].left+middles[b].right)
		})
	}
	for _, h := range columns {
		if r.first[h] >= r.value {
			continue
		}
		s := c.newSweep(p, begins, h, whole)
		s.budget = r.value
		if m := middles[h]; m.at > 0 {
			s.low = m.left + m.right
			s.between(s.first(), m)
			s.between(m, s.last())
		} else {
			s.between(s.first(), s.last())
		}
		r.value = s.budget
		r.first[h] = max(r.first[h], s.low)
	}
	return r
}

// first and last are the ends of a sweep, where one side is empty.
func (s *sweep) first() place {
	return place{0, s.price, s.whole.value, make([]int64, len(s.lists)), s.whole.right}
}

func (s *sweep) last() place {
	return place{len(s.ends) - 1, s.whole.value, s.price, s.whole.right, make([]int64, len(s.lists))}
}

// firstOfTwo returns the first split of trees of two levels with a value of at most v; end is 0 if
// there are none.
func (c *checker) firstOfTwo(p *part, v int64) (column, end int) {
	whole, begins := c.solveOne(p), c.begins(p)
	for h := range p.lists {
		s := c.newSweep(p, begins, h, whole)
		s.budget, s.inOrder = v+1, true
		if s.between(s.first(), s.last()) {
			return h, s.ends[s.best]
		}
	}
	return 0, 0
}
