package bayes

import "slices"

// The bounds on F of all lists behind a prefix; docs/proof-format.md derives them.
// They hold for real numbers, of which table entries are roundings: slack units are added for each
// line of a list, and two more.

const slack = 16
const nothing = -int64(1) << 60

// future is the prior of more rules: the largest ln p(m+k) + G_k of k from 1 on, and the largest k.
type future struct {
	prior int64
	rules int
}

// ahead lists ln p(m+k) + G_k for prefixes of length m that used u, by k up to longest rules in all. Entry 0 is of no use.
func (t *tables) ahead(m, longest int, u *used) []int64 {
	list := []int64{nothing}
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
		list = append(list, t.length[m+i]+sum)
	}
	return list
}

// longestUseful returns the most rules of a list with an F of least or more, if no Σ l is
// above likelihood.
func (t *tables) longestUseful(likelihood, least int64) int {
	list := t.ahead(0, t.most, &used{})
	m := len(list) - 1
	for m > 0 && list[m]+likelihood+slack*int64(t.most+2) < least {
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
	return t.leaf(y.pure[1], 0) + t.leaf(0, y.pure[0]) - y.entropy
}
