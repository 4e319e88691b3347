package search

import (
	"cmp"
	"slices"

	"parcorels/bitvec"
)

// ascend replaces the rule as long as that makes it better (Algorithm 2, DS-OPT;
// Iyer and Bilmes, UAI 2012): u is replaced by a modular function below it that
// agrees with it at the rule, w by two modular functions above it that do, and the
// differences are maximised by taking all literals that are positive.
func (c *climber) ascend() {
	columns := c.columns()
	value := c.value(columns)
	for {
		h := c.chain(columns)
		m1, m2 := c.above(columns)
		best, bestValue := columns, value
		for _, m := range [][]int64{m1, m2} {
			var other []int
			for j := range h {
				if h[j]-m[j] > 0 {
					other = append(other, j)
				}
			}
			if len(other) > c.p.most { // those of the largest differences have the largest sum
				slices.SortStableFunc(other, func(a, b int) int { return cmp.Compare(h[b]-m[b], h[a]-m[a]) })
				other = slices.Sorted(slices.Values(other[:c.p.most]))
			}
			if v := c.value(other); v > bestValue {
				best, bestValue = other, v
			}
		}
		if bestValue == value {
			c.become(columns)
			return
		}
		columns, value = best, bestValue
	}
}

// chain returns the increments of u along a chain that begins with the rule: those
// of the rule in the order of what they exclude alone, then the others by what they
// gain beyond what they cost at the rule.
func (c *climber) chain(columns []int) []int64 {
	c.p.covers(c.set, columns)
	c.count(c.set)
	gain, loss := c.p.in.Planes.Cost(c.set)
	first := slices.Clone(columns)
	slices.SortStableFunc(first, func(a, b int) int { return cmp.Compare(c.single0[a], c.single0[b]) })
	in := make([]bool, len(c.in))
	for _, j := range columns {
		in[j] = true
	}
	var rest []int
	for j := range c.in {
		if !in[j] {
			rest = append(rest, j)
		}
	}
	score := func(j int) int64 { return (loss - c.g0[j]) - (gain - c.g1[j]) }
	slices.SortStableFunc(rest, func(a, b int) int { return cmp.Compare(score(b), score(a)) })
	h := make([]int64, len(c.in))
	copy(c.scratch, c.p.all)
	left := c.all0
	for _, j := range append(first, rest...) {
		bitvec.And(c.scratch, c.scratch, c.p.in.Columns[j])
		_, now := c.p.in.Planes.Cost(c.scratch)
		h[j], left = left-now, now
	}
	return h
}

// above returns the two modular functions above w at the rule (equation 10).
func (c *climber) above(columns []int) (m1, m2 []int64) {
	m1, m2 = make([]int64, len(c.in)), make([]int64, len(c.in))
	c.p.covers(c.set, columns)
	c.count(c.set)
	gain, _ := c.p.in.Planes.Cost(c.set)
	for j := range c.in {
		m1[j] = c.all1 - c.single1[j] + c.p.λ
		m2[j] = gain - c.g1[j] + c.p.λ
	}
	for i, j := range columns {
		others := slices.Delete(slices.Clone(columns), i, i+1)
		c.p.covers(c.scratch, others)
		with, _ := c.p.in.Planes.CostAndNot(c.scratch, c.p.in.Columns[j])
		m1[j] = with + c.p.λ
		m2[j] = c.only1[j] + c.p.λ
	}
	return m1, m2
}

// swap adds, drops and exchanges single literals while that makes the rule better
// (Algorithm 6; a literal that changes nothing is dropped).
func (c *climber) swap() {
	for changed := true; changed; {
		changed = false
		for c.addBest(nil) {
			changed = true
		}
		for c.dropOne() {
			changed = true
		}
		for c.exchange() {
			changed = true
		}
	}
}

// addBest adds the literal that gains most to the rule without drop (nil: to the
// rule), if it gains more than drop did.
func (c *climber) addBest(drop *int) bool {
	columns := c.columns()
	if drop != nil {
		columns = slices.DeleteFunc(columns, func(j int) bool { return j == *drop })
	}
	if len(columns) >= c.p.most {
		return false
	}
	c.p.covers(c.set, columns)
	c.count(c.set)
	gain, loss := c.p.in.Planes.Cost(c.set)
	at, least := -1, int64(0)
	for j, in := range c.in {
		g := (loss - c.g0[j]) - (gain - c.g1[j]) - c.p.λ
		switch {
		case drop != nil && j == *drop:
			least = max(least, g)
		case in:
		case at < 0 || g > (loss-c.g0[at])-(gain-c.g1[at])-c.p.λ:
			at = j
		}
	}
	if at < 0 || (loss-c.g0[at])-(gain-c.g1[at])-c.p.λ <= least {
		c.p.covers(c.set, c.columns())
		return false
	}
	if drop != nil {
		c.in[*drop] = false
	}
	c.in[at] = true
	bitvec.And(c.set, c.set, c.p.in.Columns[at])
	return true
}

// dropOne drops the first literal without which the rule is no worse.
func (c *climber) dropOne() bool {
	columns := c.columns()
	value := c.value(columns)
	for i, j := range columns {
		if others := slices.Delete(slices.Clone(columns), i, i+1); c.value(others) >= value {
			c.in[j] = false
			c.p.covers(c.set, others)
			return true
		}
	}
	return false
}

// exchange replaces a literal by a better one.
func (c *climber) exchange() bool {
	for _, j := range c.columns() {
		if c.addBest(&j) {
			return true
		}
	}
	return false
}
