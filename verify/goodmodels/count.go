package goodmodels

import (
	"maps"
	"math/big"
	"slices"
)

// numbers are numbers of models by their cost.
type numbers map[int64]*big.Int

func (n numbers) add(cost int64, x *big.Int) {
	if n[cost] == nil {
		n[cost] = new(big.Int)
	}
	n[cost].Add(n[cost], x)
}

// count finds the number of models of the graph within the threshold: ends of each state, and products of both
// sides of its splits, less pairs of ends of one class.
func (c *checker) count() *big.Int {
	tables, orders := make([]numbers, len(c.states)), make([][]int64, len(c.states))
	one := big.NewInt(1)
	for i := len(c.states) - 1; i >= 0; i-- {
		s := &c.states[i]
		t := numbers{}
		for _, cost := range s.ends {
			if cost <= s.room {
				t.add(cost, one)
			}
		}
		for _, x := range s.splits {
			first, order := tables[x.with], orders[x.with]
			ends := c.firstEnds(s, x)
			if x.with == 0 {
				first = numbers{}
				for _, cost := range ends {
					first.add(cost, one)
				}
				order = slices.Sorted(maps.Keys(first))
			}
			times := big.NewInt(int64(len(c.members[x.column])))
			for _, a := range order {
				n := new(big.Int).Mul(first[a], times)
				for _, b := range orders[x.without] {
					if a+b > s.room {
						break
					}
					t.add(a+b, new(big.Int).Mul(n, tables[x.without][b]))
				}
			}
			for class, cost := range c.states[x.without].ends {
				if cost += ends[class]; cost <= s.room {
					t.add(cost, new(big.Int).Neg(times))
				}
			}
		}
		maps.DeleteFunc(t, func(_ int64, n *big.Int) bool { return n.Sign() == 0 })
		tables[i], orders[i] = t, slices.Sorted(maps.Keys(t))
	}
	sum := new(big.Int)
	for _, n := range tables[0] {
		sum.Add(sum, n)
	}
	return sum
}

// model appends the model of a state that costs L and has the fewest ends, of these the one with the
// smallest antecedents in preorder.
func (c *checker) model(at int, to []int) []int {
	s := &c.states[at]
	if s.size == 1 {
		return append(to, -1-slices.Index(s.ends, s.least))
	}
	best := split{column: -1}
	for _, x := range s.splits {
		with, size := c.first(s, x)
		without := &c.states[x.without]
		if with+without.least == s.least && size+without.size == s.size &&
			(best.column < 0 || c.members[x.column][0] < c.members[best.column][0]) {
			best = x
		}
	}
	to = append(to, c.members[best.column][0])
	if best.with == 0 {
		ends := c.firstEnds(s, best)
		to = append(to, -1-slices.Index(ends, slices.Min(ends)))
	} else {
		to = c.model(best.with, to)
	}
	return c.model(best.without, to)
}
