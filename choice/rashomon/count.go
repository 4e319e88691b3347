package rashomon

import (
	"cmp"
	"math/big"
	"math/bits"
	"slices"
	"sort"
)

// Counting. N(u)[cost, rules] is how many completions of u have a rule at least and cost so much,
// cut where the cheapest prefix to u and they exceed the threshold. It is the sum over the edges
// of u of the number of antecedents with the column, times the stops behind the edge and the
// shifted N of the child. Counts are natural numbers of as many words as they need.

// Counts has the number of lists from every state, by cost and rules.
type Counts struct {
	s      *Set
	limbs  int
	tables []table // by state
}

// table has the completions of a state in the order of cost, and then of rules.
type table struct {
	cost  []int64
	rules []int32
	upTo  []uint64 // limbs of each place: how many completions are here or before
}

// Count counts the lists.
func (s *Set) Count() *Counts {
	for limbs := 1; ; limbs *= 2 {
		c := &Counts{s: s, limbs: limbs}
		if c.fill() {
			return c
		}
	}
}

// fill makes the tables from the smallest sets to the largest. It reports false if a count
// needs more limbs.
func (c *Counts) fill() bool {
	s := c.s
	c.tables = make([]table, len(s.d))
	var places index // of cost and rules
	var sums []uint64
	fits := true
	zero := make([]uint64, c.limbs)
	term := make([]uint64, c.limbs)
	one := slices.Clone(zero)
	one[0] = 1
	add := func(cost int64, rules int32, count []uint64, times uint64) {
		at, known := places.at(key{cost, int64(rules)})
		if !known {
			sums = append(sums, zero...)
		}
		fits = fits && addTimes(sums[at*c.limbs:][:c.limbs], count, times)
	}
	for i := len(s.d) - 1; i >= 0; i-- {
		left := s.threshold - s.d[i]
		places.clear()
		sums = sums[:0]
		for _, e := range s.out(int32(i)) {
			times := uint64(len(s.antecedents[e.column]))
			for q, stop := range s.defaults(e.child) {
				if q != int(e.label) && e.cost+stop <= left {
					add(e.cost+stop, 1, one, times)
				}
			}
			t := &c.tables[e.child]
			for k, cost := range t.cost {
				if e.cost+cost > left {
					break
				}
				subtract(term, t.at(c.limbs, k), t.at(c.limbs, k-1))
				add(e.cost+cost, t.rules[k]+1, term, times)
			}
		}
		if !fits || !c.tables[i].from(places.keys, sums, c.limbs) {
			return false
		}
	}
	return true
}

// from sorts entries and adds them up.
func (t *table) from(keys []key, sums []uint64, limbs int) bool {
	order := make([]int32, len(keys))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		return slices.Compare(keys[a][:], keys[b][:])
	})
	t.cost, t.rules, t.upTo = make([]int64, len(keys)), make([]int32, len(keys)), make([]uint64, len(keys)*limbs)
	for i, k := range order {
		t.cost[i], t.rules[i] = keys[k][0], int32(keys[k][1])
		copy(t.at(limbs, i), t.at(limbs, i-1))
		if !addTimes(t.at(limbs, i), sums[int(k)*limbs:][:limbs], 1) {
			return false
		}
	}
	return true
}

// at returns the limbs of a place; nil stands for 0 before the first.
func (t *table) at(limbs, i int) []uint64 {
	if i < 0 {
		return nil
	}
	return t.upTo[i*limbs:][:limbs]
}

// addTimes adds x times n to sum, and reports whether that fits.
func addTimes(sum, x []uint64, n uint64) bool {
	var high, carry uint64
	for i, word := range x {
		hi, lo := bits.Mul64(word, n)
		lo, c := bits.Add64(lo, high, 0)
		high = hi + c
		sum[i], carry = bits.Add64(sum[i], lo, carry)
	}
	return high+carry == 0
}

// subtract sets d = a − b, with nil for 0.
func subtract(d, a, b []uint64) {
	copy(d, a)
	var borrow uint64
	for i, x := range b {
		d[i], borrow = bits.Sub64(d[i], x, borrow)
	}
}

func number(limbs []uint64) *big.Int {
	n := new(big.Int)
	for _, x := range slices.Backward(limbs) {
		n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(x))
	}
	return n
}

// completions returns how many completions of a state have a rule and cost at most so much.
func (c *Counts) completions(state int32, most int64) *big.Int {
	t := &c.tables[state]
	i := sort.Search(len(t.cost), func(i int) bool { return t.cost[i] > most })
	return number(t.at(c.limbs, i-1))
}

// Lists returns how many lists there are.
func (c *Counts) Lists() *big.Int { return c.Within(c.s.Threshold()) }

// Within returns how many lists have an objective of at most so much. It must not exceed
// the threshold.
func (c *Counts) Within(objective int64) *big.Int {
	n := new(big.Int)
	if len(c.tables) > 0 {
		n = c.completions(0, objective-c.s.base)
	}
	c.s.empty(func(_ int, cost int64) {
		if cost+c.s.base <= objective {
			n.Add(n, big.NewInt(1))
		}
	})
	return n
}

// Entry is how many lists have one objective and so many rules.
type Entry struct {
	Objective int64
	Rules     int
	Lists     *big.Int
}

// Entries returns the numbers of lists in the order of objective, and then of rules.
func (c *Counts) Entries() (list []Entry) {
	c.s.empty(func(_ int, cost int64) { list = append(list, Entry{cost + c.s.base, 0, big.NewInt(1)}) })
	if len(c.tables) > 0 {
		t := &c.tables[0]
		for i := range t.cost {
			n := number(t.at(c.limbs, i))
			list = append(list, Entry{t.cost[i] + c.s.base, int(t.rules[i]), n.Sub(n, number(t.at(c.limbs, i-1)))})
		}
	}
	slices.SortStableFunc(list, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.Objective, b.Objective), a.Rules-b.Rules)
	})
	merged := list[:0]
	for _, e := range list {
		if k := len(merged) - 1; k >= 0 && merged[k].Objective == e.Objective && merged[k].Rules == e.Rules {
			merged[k].Lists = new(big.Int).Add(merged[k].Lists, e.Lists)
			continue
		}
		merged = append(merged, e)
	}
	return merged
}
