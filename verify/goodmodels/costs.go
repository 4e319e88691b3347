package goodmodels

import (
	"errors"
	"fmt"
	"math/big"

	"parcorels/ratio"
	"parcorels/rules"
	"parcorels/verify/framing"
)

// costs are what predictions cost in groups of samples, beyond base.
type costs struct {
	of      []int32   // by sample, its group
	all     []uint64  // every group
	byClass [][]int64 // by class and group, the weight of its samples
	weight  []int64   // of each group, of all classes
	base    int64
	unit    int64
	digits  [][][]uint64 // of what each class costs, in units
	dearest [][]uint64   // of what the dearest class costs; of two classes that is the sum
	costly  []uint64     // groups in which some class costs something
	label   []int        // by group, the first class that costs nothing
	own     []int64      // by group, what any other class costs at least
}

// group puts samples together, and returns the groups that satisfy each antecedent.
func (c *costs) group(set *rules.Set) (columns [][]uint64, err error) {
	samples, err := framing.NewSamples(set, mostCost)
	if err != nil {
		return nil, err
	}
	g := framing.NewGroups(samples)
	c.of, c.all, c.byClass, c.weight = g.Of, g.All(), g.Weights, make([]int64, g.Len())
	for _, of := range c.byClass {
		for i, w := range of {
			c.weight[i] += w
		}
	}
	return g.Columns(), nil
}

// wrong is what predicting a class for a group costs, if an error costs so much.
func (c *costs) wrong(class, group int, unit int64) *big.Int {
	return product(unit, c.weight[group]-c.byClass[class][group])
}

// price finds the rest from what each class costs in each group, and returns what groups cost together
// beyond base.
func (c *costs) price(loss func(class, group int) *big.Int) (all *big.Int, err error) {
	base, all := new(big.Int), new(big.Int)
	beyond, dearest := make([][]int64, len(c.byClass)), make([]int64, len(c.weight))
	c.costly = make([]uint64, len(c.all))
	for i := range c.weight {
		of := make([]*big.Int, len(c.byClass))
		least, most := loss(0, i), loss(0, i)
		for class := range of {
			of[class] = loss(class, i)
			if of[class].Cmp(least) < 0 {
				least = of[class]
			}
			if of[class].Cmp(most) > 0 {
				most = of[class]
			}
		}
		base.Add(base, least)
		most = new(big.Int).Sub(most, least)
		if all.Add(all, most); all.Cmp(big.NewInt(mostCost)) >= 0 {
			return nil, errScale
		}
		if dearest[i] = most.Int64(); dearest[i] > 0 {
			c.costly[i/64] |= 1 << (i % 64)
		}
		label, own := -1, int64(mostCost)
		for class, x := range of {
			more := new(big.Int).Sub(x, least).Int64()
			beyond[class] = append(beyond[class], more)
			if more == 0 && label < 0 {
				label = class
			} else {
				own = min(own, more)
			}
			c.unit = ratio.GCD(c.unit, more)
		}
		c.label, c.own = append(c.label, label), append(c.own, own)
	}
	if new(big.Int).Abs(base).Cmp(big.NewInt(mostCost)) >= 0 {
		return nil, errScale
	}
	c.base, c.unit = base.Int64(), max(c.unit, 1)
	inUnits := func(list []int64) [][]uint64 {
		for i := range list {
			list[i] /= c.unit
		}
		return framing.Digits(list)
	}
	for _, of := range beyond {
		c.digits = append(c.digits, inUnits(of))
	}
	if len(beyond) > 2 {
		c.dearest = inUnits(dearest)
	}
	return all, nil
}

// losses returns what predicting each class costs for the groups of a in b, and what they cost at most.
func (c *costs) losses(a, b []uint64) (cost []int64, most int64) {
	cost = make([]int64, len(c.digits))
	for class, digits := range c.digits {
		cost[class] = c.unit * framing.Sum(digits, a, b)
	}
	if len(cost) == 2 {
		return cost, cost[0] + cost[1]
	}
	return cost, c.unit * framing.Sum(c.dearest, a, b)
}

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
