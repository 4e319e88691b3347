package search

// bestSubset returns the best rule of at most activeSet active columns, exactly. The rule
// now is one of them. Branch and bound mostly ends soon.
//
// Columns that exclude no more than the price of a literal are in no best rule, nor are
// those with which no rule is worth what the rule now is.
func (c *climber) bestSubset(active []int, now rule) []int {
	key := keyOf('a', active)
	if best, known := c.seen.Load(key); known {
		return best
	}
	earning := make([]int, 0, len(active))
	for _, j := range active {
		if c.all0-c.single0[j] > c.p.λ && c.single1[j]-c.p.λ >= now.value {
			earning = append(earning, j)
		}
	}
	columns := c.p.solveFew(earning, now, c.walkers).literals
	c.seen.Store(key, columns)
	return columns
}
