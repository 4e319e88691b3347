package rashomon

import (
	"maps"
	"math/big"
	"slices"
)

// count counts the plain lists of the graph within the threshold, and finds one of the least
// objective.
func (c *checker) count() *Result {
	tables := make([]map[int64]*big.Int, len(c.states)) // by state: completions with a rule at least, by cost
	for i := len(c.states) - 1; i >= 0; i-- {
		t := map[int64]*big.Int{}
		add := func(cost int64, n *big.Int) {
			if c.d[i]+cost > c.most {
				return
			}
			if t[cost] == nil {
				t[cost] = new(big.Int)
			}
			t[cost].Add(t[cost], n)
		}
		c.eachRule(i, func(column, label, child int, cost, stop int64) {
			times := big.NewInt(int64(len(c.members[column])))
			add(cost+stop, times)
			for more, n := range tables[child] {
				add(cost+more, new(big.Int).Mul(n, times))
			}
		})
		tables[i] = t
	}
	r := &Result{Lists: new(big.Int), Objective: none}
	all := c.costs(c.all, c.all)
	for q, cost := range all { // empty lists
		if cost <= c.most {
			r.Lists.Add(r.Lists, big.NewInt(1))
			if cost < r.Objective {
				r.Objective, r.Default = cost, q == 1
			}
		}
	}
	for _, cost := range slices.Sorted(maps.Keys(tables[0])) {
		r.Lists.Add(r.Lists, tables[0][cost])
		if cost < r.Objective {
			r.Objective = cost
			r.Rules, r.Default = c.list(tables, cost)
		}
	}
	r.Objective += c.base
	return r
}

// eachRule calls f with the rules of a state: their own cost, and that of a default of the other label
// behind them.
func (c *checker) eachRule(state int, f func(column, label, child int, cost, stop int64)) {
	set := c.sets[state]
	all := c.costs(set, set)
	for _, e := range c.states[state].edges {
		column := c.of[e.antecedent]
		wrong := c.costs(set, c.columns[column])
		for q := range 2 {
			if e.labels>>q&1 == 1 {
				f(column, q, e.child, c.price+wrong[q], all[1-q]-wrong[1-q])
			}
		}
	}
}

// list returns a list of exactly this cost.
func (c *checker) list(tables []map[int64]*big.Int, cost int64) (list []Rule, def bool) {
	state, ended := 0, false
	for !ended {
		found := false
		next := 0
		c.eachRule(state, func(column, label, child int, own, stop int64) {
			_, goesOn := tables[child][cost-own]
			if found || own+stop != cost && !goesOn {
				return
			}
			found = true
			list = append(list, Rule{c.members[column][0], label == 1})
			if own+stop == cost {
				ended, def = true, label == 0
				return
			}
			next, cost = child, cost-own
		})
		state = next
	}
	return list, def
}
