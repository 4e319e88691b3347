package bayes

import "slices"

// The bounds on F of all lists behind a prefix; docs/proof-format.md derives them.
// They hold for real numbers, of which table entries are roundings: slack units are added for each
// line of a list, and two more.

const (
	slack    = 16
	mostTops = 6 // rules up to which the capacity bound is computed
	nothing  = -int64(1) << 60
)

// future is the prior of k more rules: at[k] = ln p(m+k) + G_k, rest[k] the largest from
// k on. Entry 0 is of no use.
type future struct{ at, rest []int64 }

// futureOf returns the future of prefixes of length m that used u, up to longest rules.
func (t *tables) futureOf(m, longest int, u *used) *future {
	f := &future{at: []int64{nothing}}
	var sum int64
	for i := 1; m+i <= longest; i++ {
		left, certain, best := 0, 0, nothing
		for c, q := range t.quantity {
			left += q - u[c]
			if q-u[c] >= i {
				certain |= 1 << c
			}
		}
		for c, q := range t.quantity {
			if n := q - u[c]; n > 0 && left >= i {
				best = max(best, t.width[c]-t.z[certain|1<<c]-t.count[max(1, n-i+1)])
			}
		}
		if best == nothing {
			break
		}
		sum += best
		f.at = append(f.at, t.length[m+i]+sum)
	}
	f.rest = slices.Clone(f.at)
	for k := len(f.rest) - 2; k > 0; k-- {
		f.rest[k] = max(f.rest[k], f.rest[k+1])
	}
	return f
}

// longestUseful returns the most rules of a list with an F of least or more, if no Σ l is
// above likelihood.
func (t *tables) longestUseful(likelihood, least int64) int {
	f := t.futureOf(0, t.most, &used{})
	m := len(f.at) - 1
	for m > 0 && f.rest[m]+likelihood+slack*int64(t.most+2) < least {
		m--
	}
	return m
}

// emptyMayPay reports whether a rule that captures nothing may be part of the first list.
func (t *tables) emptyMayPay(longest int) bool {
	if len(t.width) == 0 {
		return false // no antecedents
	}
	all, least := t.z[len(t.z)-1], slices.Min(t.width)
	for k := range min(longest, t.most, len(t.card)) {
		if k+1 >= len(t.length) {
			return false
		}
		certain := 0
		for c, q := range t.quantity {
			if q > k {
				certain |= 1 << c
			}
		}
		for c, q := range t.quantity {
			gain := t.length[k+1] - t.length[k] + t.width[c] - t.z[certain|1<<c] - t.count[max(1, q-k)]
			if k+1 >= q {
				gain += int64(k+1-q) * (all - least)
			}
			if gain >= -slack*int64(k+2) {
				return true
			}
		}
	}
	return false
}

// apart bounds Σ l of what a tally counts for any number of rules.
func (t *tables) apart(y *tally) int64 {
	return min(t.leaf(y.n[1], 0)+t.leaf(0, y.n[0]), t.leaf(y.pure[1], 0)+t.leaf(0, y.pure[0])-y.entropy)
}

// top is an antecedent and how many samples of a class it has in a set.
type top struct {
	antecedent int
	count      int64
}

// tops appends to list the antecedents with most samples of a class, one more than are asked
// for; of equal ones the first.
func tops(list []top, tallies []tally, class int) []top {
	for a := range tallies {
		n := tallies[a].n[class]
		if n == 0 || len(list) > mostTops && n <= list[mostTops].count {
			continue
		}
		if len(list) <= mostTops {
			list = append(list, top{})
		}
		i := len(list) - 1
		for ; i > 0 && list[i-1].count < n; i-- {
			list[i] = list[i-1]
		}
		list[i] = top{a, n}
	}
	return list
}

// limit bounds F of the lists behind a child with sum: what it leaves is rest, the
// antecedent is its last rule, and counts of the prefix before it gave the tops. Bounds below need are
// not exact.
func (t *tables) limit(sum int64, antecedent int, rest *tally, lists *[2][]top, f *future, need int64) int64 {
	most, end := t.apart(rest), slack*int64(len(f.at)+2)
	bound, capacity := nothing, t.leaf(rest.n[1], rest.n[0])
	for k := 1; k < len(f.at) && sum+f.rest[k]+most+end >= need; k++ {
		if capacity >= most || k > mostTops {
			bound = max(bound, f.rest[k]+most)
			break
		}
		for k1 := 0; k1 <= k; k1++ {
			taken1, value1, ok1 := t.take(lists[1], 1, k1, antecedent, rest.n[1])
			taken0, value0, ok0 := t.take(lists[0], 0, k-k1, antecedent, rest.n[0])
			if ok1 && ok0 {
				capacity = max(capacity, value1+value0+t.leaf(rest.n[1]-taken1, rest.n[0]-taken0))
			}
		}
		bound = max(bound, f.at[k]+min(most, capacity))
	}
	if bound == nothing {
		return nothing
	}
	return sum + bound + end
}

// take shares out up to r samples of a class to the k largest antecedents of a list other
// than one. It returns false if there are fewer, or if fewer take them all.
func (t *tables) take(list []top, class, k, other int, r int64) (taken, value int64, ok bool) {
	for _, x := range list {
		if k == 0 {
			break
		}
		if x.antecedent == other {
			continue
		}
		if taken == r {
			return 0, 0, false
		}
		n := min(x.count, r-taken)
		taken += n
		if class == 1 {
			value += t.leaf(n, 0)
		} else {
			value += t.leaf(0, n)
		}
		k--
	}
	return taken, value, k == 0
}
