package rashomon

import (
	"cmp"
	"maps"
	"math/big"
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
	slices.SortFunc(keys, func(a, b sized) int { return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(a.size, b.size)) })
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
		c.eachRule(i, func(column, label, child int, cost int64, stops []int64) {
			times := big.NewInt(int64(len(c.members[column])))
			for _, stop := range stops {
				add(sized{cost + stop, 1}, times)
			}
			for more, n := range tables[child] {
				add(sized{cost + more.cost, more.size + 1}, new(big.Int).Mul(n, times))
			}
		})
		tables[i] = t
	}
	all = maps.Clone(tables[0])
	empty, _ := c.losses(c.all, c.all)
	for _, cost := range empty {
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
			r.Rules, r.Default = c.list(tables, at)
		}
	}
	r.Objective += c.base
	return r
}

// eachRule calls f with the rules of a state: their own cost, and that of a default of each class behind
// them, none for the class of the rule.
func (c *checker) eachRule(state int, f func(column, label, child int, cost int64, stops []int64)) {
	set := c.sets[state]
	all, _ := c.losses(set, set)
	for _, e := range c.states[state].edges {
		column := c.column[e.antecedent]
		wrong, _ := c.losses(set, c.columns[column])
		for q, cost := range wrong {
			if e.labels>>q&1 == 1 {
				stops := make([]int64, len(all))
				for class := range stops {
					stops[class] = all[class] - wrong[class]
				}
				stops[q] = none
				f(column, q, e.child, c.price+cost, stops)
			}
		}
	}
}

// list returns the list of exactly this cost and so many rules that has the smallest antecedents, in the order
// of rules.
func (c *checker) list(tables []numbers, at sized) (list []Rule, def int) {
	if at.size == 0 {
		empty, _ := c.losses(c.all, c.all)
		return nil, slices.Index(empty, at.cost)
	}
	for state := 0; at.size > 0; {
		rule := Rule{Antecedent: len(c.column)}
		next, left := 0, at
		c.eachRule(state, func(column, label, child int, own int64, stops []int64) {
			rest := sized{at.cost - own, at.size - 1}
			_, goesOn := tables[child][rest]
			end := slices.Index(stops, rest.cost)
			if first := c.members[column][0]; first < rule.Antecedent && (at.size == 1 && end >= 0 || at.size > 1 && goesOn) {
				rule, next, left, def = Rule{first, label}, child, rest, end
			}
		})
		list = append(list, rule)
		state, at = next, left
	}
	return list, def
}
