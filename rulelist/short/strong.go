package short

import "parcorels/rulelist/problem"

// Conditions that are strong enough for a list of so many rules.
//
// By argument 2, each of k rules gets right at least need(k) − R_{k−1}, and no rule gets more right than its
// condition gains for one label. So a table without the others is enough. A list of strong conditions
// has strong conditions alone without one of its rules, too. So R is taken over these, which drops more of them.
// Where the incumbent is much longer than k, few conditions are left, or none. R_k is at most R_{k−1} and what the
// strongest condition gets right. So it may be that no list of many rules is smaller, without a look at any.

// fewer is the share of conditions from which on a table without the others is not worth it.
const fewer = 0.75

// strong returns the table of conditions that a list of so many rules may have, if one rule less gets at most
// best right: c itself if these are most, nil if they are too few for a list.
func (c *table[T]) strong(rules int, best int64) *table[T] {
	least := c.need(rules) - best
	var columns [][]uint64
	var names []problem.Antecedent
	for s, right := range c.right1 {
		if right >= least {
			columns, names = append(columns, c.columns[s]), append(names, c.names[s])
		}
	}
	if len(columns) < rules {
		return nil
	}
	if float64(len(columns)) > fewer*float64(c.n) {
		return c
	}
	d := newTable[T](c.s, columns, names, c.all, c.costs)
	d.prefix, d.label, d.right, d.memory, d.prefixes = c.prefix, c.label, c.right, c.memory, c.prefixes
	d.ones()
	return d
}

// lists looks at all lists of so many rules, when no shorter one is smaller than the incumbent. It reports whether it has come
// to the end.
func (c *table[T]) lists(rules int) bool {
	if rules <= c.s.o.Done {
		c.best = min(c.best+c.top, max(c.best, c.need(rules)))
		return true
	}
	d := c.strong(rules, c.best)
	if d == nil {
		c.best += c.top
		return true
	}
	all := false
	switch rules {
	case 2:
		all = d.allPairs()
	case 3:
		all = d.allThrees()
	default:
		d.best = c.best
		all = d.allLonger(rules)
	}
	if d == c && rules == 2 {
		return all // best is known
	}
	c.best = min(c.best+c.top, max(d.best, c.need(rules))) // a list with more would be the incumbent
	return all
}

// allThrees looks at all lists of three rules of a table, when no list of two is smaller than the incumbent.
func (c *table[T]) allThrees() bool {
	for !c.counted {
		if !c.allPairs() {
			return false
		}
		if c = c.strong(3, c.best); c == nil {
			return true
		}
	}
	return c.allTriples()
}
