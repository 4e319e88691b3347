package goodmodels

import (
	"context"
	"errors"
	"math/big"
	"slices"
)

// mostCost bounds all costs, so that sums of some of them fit a word.
const mostCost = 1 << 60

// none is a cost that no model has.
const none = 1 << 61

// Result is what a checked proof shows.
type Result struct {
	Trees     bool     // it is about trees, else about lists
	Threshold int64    // in units of 1/(λ.Den·total weight)
	Models    *big.Int // with an objective of at most that; nil of a proof with limits
	Depth     int      // most splits on a path of a tree; 0: no limit
	Records   int64

	// A model of the least objective, of those within the limits: a list, or a tree in preorder, a feature for each split
	// and −1−class for each leaf.
	Rules     []Rule
	Default   int
	Tree      []int
	Objective int64
}

// Rule is an antecedent and the class that it predicts.
type Rule struct{ Antecedent, Label int }

// checker is a call of Check.
type checker struct {
	content
	costs
	ctx     context.Context
	trees   bool
	den     int64 // of λ: what an error costs, without limits
	rule    int64 // what a rule costs, without limits
	scale   int64 // Z
	limits  []Limit
	price   int64 // of an end
	most    int64 // T, beyond what every model loses; a list has an end that is no rule
	words   int
	columns [][]uint64 // the distinct ones
	members [][]int    // the antecedents of each
	column  []int      // by antecedent

	known map[string]int64 // lemmas
	place map[string]int   // states
}

var errScale = errors.New("its numbers are too large to be added up")

var errClasses = errors.New("limits and differences of groups are of data of two classes")

// ends returns what ending costs for a set, by class.
func (c *checker) ends(set []uint64) []int64 {
	costs, _ := c.losses(set, set)
	for class := range costs {
		costs[class] += c.price
	}
	return costs
}

// first returns what the side with a split's column costs at least, and the fewest ends of that.
func (c *checker) first(s *state, x split) (least int64, size int) {
	if x.with != 0 {
		return c.states[x.with].least, c.states[x.with].size
	}
	return slices.Min(c.firstEnds(s, x)), 1
}

// firstEnds returns what ending there costs, by class.
func (c *checker) firstEnds(s *state, x split) []int64 {
	if x.with != 0 {
		return c.states[x.with].ends
	}
	ends := slices.Clone(s.ends)
	for q, cost := range c.states[x.without].ends {
		ends[q] -= cost - c.price
	}
	return ends
}
