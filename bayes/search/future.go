package search

// This file bounds what the prior adds for rules that are still to come.
//
// Behind a prefix of m rules that used u_c antecedents of cardinality c, let the i-th of k
// more rules have cardinality c. Its price w(c) − ln Z(avail) − ln(q_c − u) is at most
//
//	max over c of w(c) − ln Z(S_i ∪ {c}) − ln max(1, q_c − u_c − i + 1),
//
// where S_i has the cardinalities of which at least i antecedents are left: they and c
// are available to it, and at most i − 1 of cardinality c were used since. G_k sums that
// for i ≤ k. With one cardinality G_k is the price itself.
//
// A list as long as that need not be looked at beyond a longest one: if for all k > m,
// ln p(k) + G_k of the empty prefix + (a bound of Σ l) is below F of some list,
// the best list has at most m rules (Theorem 1, with G).
//
// Rules that capture nothing are part of no best list, unless they may pay. Insert
// such a rule of cardinality c into a list of k rules, s of them of cardinality c. Prices of a
// cardinality's antecedents add up to the same in any order, but for Z; so the prior changes by
//
//	ln p(k+1) − ln p(k) + w(c) − ln Z(avail) − ln(q_c − s),
//
// with avail at its place, and, if s + 1 = q_c, by what the other cardinalities become
// likelier behind the last antecedent of c: at most k + 1 − q_c rules have a Z without c. If that is
// negative for all k and c, removing a rule that captures nothing makes a list better.

import "slices"

// future is the prior of what may follow a prefix: the largest ln p(m+k) + G_k, and the largest k.
type future struct {
	prior int64
	rules int
}

// impossible is less than any F, and its double fits.
const impossible = -int64(1) << 60

// futures remembers them. It belongs to one goroutine.
type futures struct {
	p       *posterior
	longest int
	known   map[used]future
}

func newFutures(p *posterior, longest int) *futures {
	return &futures{p: p, longest: longest, known: map[used]future{}}
}

// of returns the future of prefixes of length m that used u.
func (f *futures) of(m int, u *used) future {
	x, ok := f.known[*u]
	if !ok {
		x.prior = impossible
		f.p.ahead(m, f.longest, u, func(k int, prior int64) { x = future{max(x.prior, prior), k} })
		f.known[*u] = x
	}
	return x
}

// ahead calls f with ln p(m+k) + G_k for each number k of rules that may follow a prefix of length m that used u,
// up to longest in all.
func (p *posterior) ahead(m, longest int, u *used, f func(k int, prior int64)) {
	var sum int64
	for k := 1; m+k <= longest; k++ {
		step := p.dearest(u, k)
		if step == impossible {
			return
		}
		sum += step
		f(k, p.length[m+k]+sum)
	}
}

// dearest bounds the price of the i-th rule behind a prefix that used u.
func (p *posterior) dearest(u *used, i int) int64 {
	left, certain := 0, 0
	for c, q := range p.quantity {
		n := q - int(u[c])
		left += n
		if n >= i {
			certain |= 1 << c
		}
	}
	best := impossible
	for c, q := range p.quantity {
		if n := q - int(u[c]); n > 0 && left >= i {
			best = max(best, p.width[c]-p.lnZ[certain|1<<c]-p.lnCount[max(1, n-i+1)])
		}
	}
	return best
}

// emptyMayPay reports whether a rule that captures nothing can make a list of up
// to longest rules better, or as good.
func (p *posterior) emptyMayPay(longest int) bool {
	if len(p.width) == 0 { // no antecedents: every cell is missing, say
		return false
	}
	all, least := p.lnZ[len(p.lnZ)-1], slices.Min(p.width)
	for k := range min(longest, p.most, len(p.card)) {
		certain := 0
		for c, q := range p.quantity {
			if q > k {
				certain |= 1 << c
			}
		}
		for c, q := range p.quantity {
			gain := p.length[k+1] - p.length[k] + p.width[c] - p.lnZ[certain|1<<c] - p.lnCount[max(1, q-k)]
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
