package rashomon

import (
	"math/big"
	"math/bits"
	"slices"
)

// Answers are what follows from a checked graph, of which it is proved that it has all good models: by loops of
// the checker's own, on the groups of raw samples.
type Answers interface {
	// Sizes returns the numbers of good models by their rules or leaves.
	Sizes() map[int]*big.Int
	// Models returns how many good models there are, and the least objective of one, if there are any.
	Models() (models *big.Int, least int64)
	// Only returns answers about the good models that look at allowed antecedents alone.
	Only(allowed func(antecedent int) bool) Answers
	// Ambiguous returns the weight of the samples that good models do not all decide alike.
	Ambiguous() int64
	// Optimum returns what the optimum predicts where these antecedents hold: the good model that is smallest in the order of
	// objective, rules or leaves, and antecedents.
	Optimum(holds func(antecedent int) bool) int
	// Sums returns the least objective of a good model with each value of a sum, and false if there are too many
	// for the memory.
	Sums(rows Rows, s Sum) (least map[int64]int64, ok bool)
	// Least returns, by class and further row, the least objective of a good model that predicts the class there, and −1 for
	// none. It returns false if there are too many ways to part the rows.
	Least(rows Rows) (least [][]int64, ok bool)
}

func (n numbers) sizes() map[int]*big.Int {
	sizes := map[int]*big.Int{}
	for at, x := range n {
		sizes[at.size] = new(big.Int).Add(x, orZero(sizes[at.size]))
	}
	return sizes
}

func (n numbers) sum(base int64) (models *big.Int, least int64) {
	models, least = new(big.Int), none
	for at, x := range n {
		models.Add(models, x)
		least = min(least, at.cost)
	}
	return models, least + base
}

// Sizes is one of Answers, as are the following.
func (c *checker) Sizes() map[int]*big.Int {
	all, _ := c.count()
	return all.sizes()
}

func (c *checker) Models() (models *big.Int, least int64) { return c.best.Lists, c.best.Objective }

// Only leaves the rules of other antecedents out, and finds the least prefixes of what remains.
func (c *checker) Only(allowed func(antecedent int) bool) Answers {
	part := *c
	part.members = make([][]int, len(c.members))
	for column, of := range c.members {
		part.members[column] = slices.DeleteFunc(slices.Clone(of), func(a int) bool { return !allowed(a) })
	}
	part.d = make([]int64, len(c.d))
	for i := range part.d[1:] {
		part.d[1+i] = none
	}
	for i, d := range part.d {
		if d == none {
			continue
		}
		part.eachRule(i, func(_, _, child int, cost int64, _ []int64) { part.d[child] = min(part.d[child], d+cost) })
	}
	return part.result().Answers
}

// Ambiguous goes through the rules. A list by way of a rule is good if the least prefix, the rule, and the least
// that follows are within the threshold together.
func (c *checker) Ambiguous() int64 {
	_, tables := c.count()
	empty, _ := c.losses(c.all, c.all)
	decided := make([][]uint64, len(empty))
	for q, cost := range empty {
		if decided[q] = make([]uint64, c.words); cost <= c.most {
			copy(decided[q], c.all)
		}
	}
	mark := func(q int, set []uint64) {
		for w, x := range set {
			decided[q][w] |= x
		}
	}
	for i := range c.states {
		c.eachRule(i, func(column, label, child int, cost int64, stops []int64) {
			left, follows := c.most-c.d[i]-cost, int64(none)
			for at := range tables[child] {
				follows = min(follows, at.cost)
			}
			if min(slices.Min(stops), follows) <= left {
				mark(label, intersect(c.sets[i], c.columns[column]))
			}
			for q, stop := range stops {
				if stop <= left {
					mark(q, c.sets[child])
				}
			}
		})
	}
	return shared(decided, c.weight)
}

// shared returns the weight of the groups in two of the sets and more.
func shared(sets [][]uint64, weights []int64) (sum int64) {
	once, twice := make([]uint64, len(sets[0])), make([]uint64, len(sets[0]))
	for _, set := range sets {
		for w, x := range set {
			twice[w] |= once[w] & x
			once[w] |= x
		}
	}
	for w, x := range twice {
		for ; x != 0; x &= x - 1 {
			sum += weights[64*w+bits.TrailingZeros64(x)]
		}
	}
	return sum
}

func (c *treesChecker) Sizes() map[int]*big.Int { return c.count().sizes() }

func (c *treesChecker) Models() (models *big.Int, least int64) { return c.count().sum(c.base) }

// Only leaves the other splits out, and finds least trees and rooms of what remains.
func (c *treesChecker) Only(allowed func(antecedent int) bool) Answers {
	part := *c
	part.states = slices.Clone(c.states)
	for i := range part.states {
		s := &part.states[i]
		s.splits = slices.DeleteFunc(slices.Clone(s.splits), func(x treeSplit) bool { return !allowed(x.antecedent) })
	}
	part.findLeast()
	part.findRooms()
	part.best = part.tree(0, nil)
	return &part
}

// Ambiguous goes through the leaves within the room of their state.
func (c *treesChecker) Ambiguous() int64 {
	decided := make([][]uint64, len(c.digits))
	for class := range decided {
		decided[class] = make([]uint64, len(c.all))
	}
	for i := range c.states {
		s := &c.states[i]
		for class, cost := range c.leaves(s.set) {
			if cost <= s.room {
				for w, x := range s.set {
					decided[class][w] |= x
				}
			}
		}
	}
	return shared(decided, c.weight)
}
