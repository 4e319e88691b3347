package rashomon

import (
	"cmp"
	"maps"
	"math/big"
	"parcorels/internal/order"
	"slices"
)

// sized is what completions of a state, or trees on it, cost, and their rules or leaves.
type sized struct {
	cost int64
	size int
}

// numbers are numbers of models.
type numbers map[sized]*big.Int

// ordered returns the keys by cost, then by size.
func (n numbers) ordered() []sized {
	keys := slices.Collect(maps.Keys(n))
	order.Sort(keys, func(a, b sized) int { return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(a.size, b.size)) })
	return keys
}

func (n numbers) add(at sized, x *big.Int) {
	if n[at] == nil {
		n[at] = new(big.Int)
	}
	n[at].Add(n[at], x)
}

// count finds the numbers of plain lists of the graph within the threshold, and of the completions of each state
// with a rule at least.
func (c *checker) count() (all numbers, tables []numbers) {
	tables = make([]numbers, len(c.states))
	for i := len(c.states) - 1; i >= 0; i-- {
		t := numbers{}
		add := func(at sized, n *big.Int) {
			if c.d[i]+at.cost <= c.most {
				t.add(at, n)
			}
		}
		c.eachRule(i, func(column, label, child int, cost, stop int64) {
			times := big.NewInt(int64(len(c.members[column])))
			add(sized{cost + stop, 1}, times)
			for more, n := range tables[child] {
				add(sized{cost + more.cost, more.size + 1}, new(big.Int).Mul(n, times))
			}
		})
		tables[i] = t
	}
	all = maps.Clone(tables[0])
	for _, cost := range c.costs(c.all, c.all) { // empty lists
		if cost <= c.most {
			all[sized{cost, 0}] = new(big.Int).Add(big.NewInt(1), orZero(all[sized{cost, 0}]))
		}
	}
	return all, tables
}

func orZero(n *big.Int) *big.Int {
	if n == nil {
		return new(big.Int)
	}
	return n
}

// result counts all lists, and finds one of the least objective.
func (c *checker) result() *Result {
	all, tables := c.count()
	r := &Result{Lists: new(big.Int), Objective: none}
	for _, at := range all.ordered() {
		r.Lists.Add(r.Lists, all[at])
		if at.cost < r.Objective {
			r.Objective = at.cost
			if r.Rules, r.Default = nil, c.costs(c.all, c.all)[0] > at.cost; at.size > 0 {
				r.Rules, r.Default = c.list(tables, at)
			}
		}
	}
	r.Objective += c.base
	r.Answers, c.best = c, r
	return r
}

// eachRule calls f with the rules of a state: their own cost, and that of a default of the other label
// behind them.
func (c *checker) eachRule(state int, f func(column, label, child int, cost, stop int64)) {
	set := c.sets[state]
	all := c.costs(set, set)
	for _, e := range c.states[state].edges {
		column := c.of[e.antecedent]
		if len(c.members[column]) == 0 { // none of them is allowed
			continue
		}
		wrong := c.costs(set, c.columns[column])
		for q := range 2 {
			if e.labels>>q&1 == 1 {
				f(column, q, e.child, c.price+wrong[q], all[1-q]-wrong[1-q])
			}
		}
	}
}

// list returns the list of exactly this cost and so many rules that has the smallest antecedents, in the order
// of rules.
func (c *checker) list(tables []numbers, at sized) (list []Rule, def bool) {
	for state := 0; at.size > 0; {
		rule := Rule{Antecedent: len(c.of)}
		next, left := 0, at
		c.eachRule(state, func(column, label, child int, own, stop int64) {
			rest := sized{at.cost - own, at.size - 1}
			_, goesOn := tables[child][rest]
			ends := at.size == 1 && own+stop == at.cost
			if first := c.members[column][0]; first < rule.Antecedent && (ends || at.size > 1 && goesOn) {
				rule, next, left = Rule{first, label == 1}, child, rest
			}
		})
		list, def = append(list, rule), !rule.Label
		state, at = next, left
	}
	return list, def
}
