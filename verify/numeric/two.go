package numeric

import "slices"

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
	weights []int64 // in front of each place
	inFront []int32 // by part of the samples: how many are in front of it
	whole   int64   // value of the set with one level
	budget  int64
	best    int // place; 0: none
	inOrder bool

	left, right, leftRest, rightRest []int64
}

// place is a place with the values of its sides.
type place struct {
	at          int
	left, right int64
}

func (c *checker) newSweep(p *part, column int, whole int64) *sweep {
	s := &sweep{checker: c, part: p, ends: c.ends(p, column), inFront: make([]int32, len(c.class)), whole: whole, weights: []int64{0}}
	var sum int64
	for i, x := range p.lists[column] {
		if i == s.ends[len(s.weights)] {
			s.weights = append(s.weights, sum)
		}
		sum += c.weight[x]
		s.inFront[x] = int32(i)
	}
	s.weights = append(s.weights, sum)
	for _, sums := range []*[]int64{&s.left, &s.right, &s.leftRest, &s.rightRest} {
		*sums = make([]int64, c.classes)
	}
	return s
}

// look solves both sides of a place: each by a leaf or one split.
func (s *sweep) look(at int) place {
	end := int32(s.ends[at])
	leftAll, rightAll := make([]int64, s.classes), slices.Clone(s.counts)
	column := s.lists[0]
	for _, x := range column {
		if s.inFront[x] < end {
			leftAll[s.class[x]] += s.samples.weight[x]
			rightAll[s.class[x]] -= s.samples.weight[x]
		}
	}
	leftMost, rightMost := slices.Max(leftAll), slices.Max(rightAll)
	leftOne, rightOne := leftMost, rightMost // weight right of one leaf, then of two
	for h, list := range s.lists {
		clear(s.left)
		clear(s.right)
		copy(s.leftRest, leftAll)
		copy(s.rightRest, rightAll)
		ranks := s.ranks[h]
		before := ranks[list[0]]
		var l, r int64 // heaviest class in front, on each side
		for _, x := range list {
			if ranks[x] != before {
				before = ranks[x]
				leftMost = max(leftMost, l+slices.Max(s.leftRest))
				rightMost = max(rightMost, r+slices.Max(s.rightRest))
			}
			c, w := s.class[x], s.samples.weight[x]
			if s.inFront[x] < end {
				s.left[c] += w
				s.leftRest[c] -= w
				l = max(l, s.left[c])
			} else {
				s.right[c] += w
				s.rightRest[c] -= w
				r = max(r, s.right[c])
			}
		}
	}
	value := func(all, one, two int64) int64 {
		return min(s.unit*(all-one)+s.price, s.unit*(all-two)+2*s.price)
	}
	all := s.weights[at]
	return place{at, value(all, leftOne, leftMost), value(s.part.weight-all, rightOne, rightMost)}
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
	whole := c.oneLevel(p)
	budget := whole
	for h := range p.lists {
		s := c.newSweep(p, h, whole)
		s.budget = budget
		s.run()
		budget = s.budget
	}
	return budget
}

func (s *sweep) run() bool {
	return s.between(place{0, s.price, s.whole}, place{len(s.ends) - 1, s.whole, s.price})
}

// firstOfTwo returns the first split of trees of two levels with a value of at most v; end is 0 if
// there are none.
func (c *checker) firstOfTwo(p *part, v int64) (column, end int) {
	whole := c.oneLevel(p)
	for h := range p.lists {
		s := c.newSweep(p, h, whole)
		s.budget, s.inOrder = v+1, true
		if s.run() {
			return h, s.ends[s.best]
		}
	}
	return 0, 0
}
