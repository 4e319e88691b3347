package numeric

import (
	"cmp"
	"slices"

	"parcorels/internal/order"
)

// Sets with two levels and fewer, from the samples alone.

// one returns the value of a leaf.
func (c *checker) one(p *part) int64 { return c.unit*(p.weight-slices.Max(p.counts)) + c.price }

// stump returns the least value of one split of a set and the first split that has it.
func (c *checker) stump(p *part) (value int64, column, end int) {
	value = far
	for h := range p.lists {
		left, right := make([]int64, c.classes), slices.Clone(p.counts)
		for i, x := range p.lists[h] {
			if i > 0 && c.ranks[h][x] != c.ranks[h][p.lists[h][i-1]] {
				if v := c.unit*(p.weight-slices.Max(left)-slices.Max(right)) + 2*c.price; v < value {
					value, column, end = v, h, i
				}
			}
			left[c.class[x]] += c.weight[x]
			right[c.class[x]] -= c.weight[x]
		}
	}
	return value, column, end
}

// oneLevel returns the least value of a leaf or a split.
func (c *checker) oneLevel(p *part) int64 {
	v, _, _ := c.stump(p)
	return min(v, c.one(p))
}

// sweep is the places of a set in the order of one column, both sides of which are solved by a
// split each.
type sweep struct {
	*checker
	*part
	ends    []int
	weights []int64  // in front of each place
	begins  [][]bool // by column and place in its list: a rank begins there, and is not the first
	passed  []passed // by part of the samples
	whole   int64    // value of the set with one level
	budget  int64
	best    int // place; 0: none
	inOrder bool
	sides   [2]side
}

// passed is what a look has to know of a part of the samples.
type passed struct {
	inFront int32 // parts in front of it
	class   int32
	weight  int64
}

// side is one side of a place, along which a threshold is moved.
type side struct {
	all            []int64 // weight by class
	in, rest       []int64 // in front of the threshold, and behind it
	most, mostRest int64   // the largest of each
	one, two       int64   // weight that a leaf gets right, and the best split or leaf
}

// begin puts the threshold in front of all.
func (s *side) begin() {
	clear(s.in)
	copy(s.rest, s.all)
	s.most, s.mostRest = 0, s.one
}

// pass moves the threshold behind a part.
func (s *side) pass(p *passed) {
	in, rest := &s.in[p.class], &s.rest[p.class]
	*in += p.weight
	s.most = max(s.most, *in)
	if *rest -= p.weight; *rest+p.weight == s.mostRest {
		s.mostRest = slices.Max(s.rest)
	}
}

// place is a place with the values of its sides.
type place struct {
	at          int
	left, right int64
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

func (c *checker) newSweep(p *part, begins [][]bool, column int, whole int64) *sweep {
	s := &sweep{checker: c, part: p, ends: c.ends(p, column), begins: begins, passed: make([]passed, len(c.class)), whole: whole, weights: []int64{0}}
	var sum int64
	for i, x := range p.lists[column] {
		if i == s.ends[len(s.weights)] {
			s.weights = append(s.weights, sum)
		}
		sum += c.weight[x]
		s.passed[x] = passed{int32(i), int32(c.class[x]), c.weight[x]}
	}
	s.weights = append(s.weights, sum)
	for i := range s.sides {
		s.sides[i] = side{all: make([]int64, c.classes), in: make([]int64, c.classes), rest: make([]int64, c.classes)}
	}
	return s
}

// look solves both sides of a place: each by a leaf or one split.
func (s *sweep) look(at int) place {
	end := int32(s.ends[at])
	left, right := &s.sides[0], &s.sides[1]
	clear(left.all)
	copy(right.all, s.counts)
	for _, x := range s.lists[0] {
		if p := &s.passed[x]; p.inFront < end {
			left.all[p.class] += p.weight
			right.all[p.class] -= p.weight
		}
	}
	for i := range s.sides {
		s.sides[i].one = slices.Max(s.sides[i].all)
		s.sides[i].two = s.sides[i].one
	}
	for h, list := range s.lists {
		left.begin()
		right.begin()
		begins := s.begins[h][:len(list)]
		for i, x := range list {
			if begins[i] {
				left.two = max(left.two, left.most+left.mostRest)
				right.two = max(right.two, right.most+right.mostRest)
			}
			p := &s.passed[x]
			s.sides[uint32(end-1-p.inFront)>>31].pass(p) // the left one if it is in front of the end
		}
	}
	value := func(all int64, of *side) int64 {
		return min(s.unit*(all-of.one)+s.price, s.unit*(all-of.two)+2*s.price)
	}
	all := s.weights[at]
	return place{at, value(all, left), value(s.part.weight-all, right)}
}

// between looks for a place between two whose value is below the budget. In order it ends at the
// first; otherwise each that is found is the new budget.
func (s *sweep) between(a, b place) bool {
	first, last := a.at+1, b.at-1
	for first <= last && s.bound(first, a, b) >= s.budget {
		first++
	}
	for first <= last && s.bound(last, a, b) >= s.budget {
		last--
	}
	if first > last {
		return false
	}
	m := s.look((first + last) / 2)
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

// bound returns a lower bound of the value of a place between two.
func (s *sweep) bound(at int, a, b place) int64 {
	return boundOf(s.weights, s.unit, at, a, b)
}

// boundOf is the bound of the package comment.
func boundOf(weights []int64, unit int64, at int, a, b place) int64 {
	return max(a.left, b.left-unit*(weights[b.at]-weights[at])) + max(b.right, a.right-unit*(weights[at]-weights[a.at]))
}

// twoLevels returns the least value of trees of two levels.
func (c *checker) twoLevels(p *part) int64 {
	whole, begins := c.oneLevel(p), c.begins(p)
	budget := whole
	// The middle of each column first: the columns that seem best lower the budget of the others.
	type middle struct {
		column int
		place
	}
	var middles []middle
	for h := range p.lists {
		s := c.newSweep(p, begins, h, whole)
		if last := len(s.ends) - 1; last > 1 {
			m := middle{h, s.look(last / 2)}
			budget = min(budget, m.left+m.right)
			middles = append(middles, m)
		}
	}
	order.Stable(middles, func(a, b middle) int { return cmp.Compare(a.left+a.right, b.left+b.right) })
	for _, m := range middles {
		s := c.newSweep(p, begins, m.column, whole)
		s.budget = budget
		s.between(s.first(), m.place)
		s.between(m.place, s.last())
		budget = s.budget
	}
	return budget
}

func (s *sweep) run() bool {
	return s.between(s.first(), s.last())
}

// first and last are the ends of a sweep, where one side is empty.
func (s *sweep) first() place { return place{0, s.price, s.whole} }
func (s *sweep) last() place  { return place{len(s.ends) - 1, s.whole, s.price} }

// firstOfTwo returns the first split of trees of two levels with a value of at most v; end is 0 if
// there are none.
func (c *checker) firstOfTwo(p *part, v int64) (column, end int) {
	whole, begins := c.oneLevel(p), c.begins(p)
	for h := range p.lists {
		s := c.newSweep(p, begins, h, whole)
		s.budget, s.inOrder = v+1, true
		if s.run() {
			return h, s.ends[s.best]
		}
	}
	return 0, 0
}
