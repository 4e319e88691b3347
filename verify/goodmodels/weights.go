package goodmodels

import (
	"errors"
	"fmt"
	"math/big"

	"parcorels/verify/framing"
)

// quanta are the units of weights: so many are the price of a rule.
const quanta = 1 << 12

// checkWeights makes sure that no group and no rule bears too much.
func (c *checker) checkWeights() error {
	if c.trees && len(c.weights) > 0 {
		return errors.New("a proof of trees has a weight")
	}
	classes := len(c.digits)
	load := make([]int64, len(c.own))
	rules := make([]int64, classes*len(c.columns))
	for i, y := range c.weights {
		set := make([]uint64, c.words)
		for _, g := range y.groups {
			if g >= len(c.own) || c.own[g] == 0 || set[g/64]>>(g%64)&1 == 1 {
				return fmt.Errorf("weight %d: group %d is none of which one class alone costs nothing, or is there twice", i, g)
			}
			set[g/64] |= 1 << (g % 64)
			if load[g] += y.y; product(load[g], c.price).Cmp(product(c.own[g], quanta)) > 0 {
				return fmt.Errorf("weight %d: group %d bears more than its cost", i, g)
			}
		}
		if len(y.groups) == 0 || c.labelOf(set) >= 0 {
			return fmt.Errorf("weight %d has groups of one label", i)
		}
		for s, column := range c.columns {
			if captured := intersect(set, column); intersects(captured, set) {
				if q := c.labelOf(captured); q >= 0 {
					rules[classes*s+q] += y.y
				}
			}
		}
	}
	for s, column := range c.columns {
		cost, most := c.losses(c.all, column)
		for q, own := range cost {
			if most-own > c.price && rules[classes*s+q] > quanta {
				return fmt.Errorf("antecedent %d bears more than the price of a rule", c.members[s][0])
			}
		}
	}
	return nil
}

// labelOf returns the label of all groups of a set, −1 if they have several.
func (c *checker) labelOf(set []uint64) int {
	label := -1
	for g := range framing.Members(set) {
		if label >= 0 && c.label[g] != label {
			return -1
		}
		label = c.label[g]
	}
	return label
}

// weigh returns what the weights within a set tell of V.
func (c *checker) weigh(set []uint64) int64 {
	sum := int64(0)
	for _, q := range c.weights {
		left := uint64(1) // 0 if the set lacks one of the groups, which are few
		for _, g := range q.groups {
			left &= set[g/64] >> (g % 64)
		}
		sum += q.y * int64(left)
	}
	n := product(sum, c.price)
	n.Add(n, big.NewInt(quanta-1))
	return n.Rsh(n, 12).Int64()
}
