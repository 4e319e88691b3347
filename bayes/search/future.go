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

// future is the prior of what may follow a prefix, by the number k of rules.
type future struct {
	at   []int64 // ln p(m+k) + G_k; entry 0 is of no use
	rest []int64 // the largest at from k on
}

// impossible is less than any F, and its double fits.
const impossible = -int64(1) << 60

// futures computes and remembers them. It belongs to one goroutine.
type futures struct {
	p       *posterior
	longest int
	known   map[used]*future
}

func newFutures(p *posterior, longest int) *futures {
	return &futures{p: p, longest: longest, known: map[used]*future{}}
}

// of returns the future of prefixes of length m that used u.
func (f *futures) of(m int, u *used) *future {
	if known, ok := f.known[*u]; ok {
		return known
	}
	n := max(0, f.longest-m)
	x := &future{at: make([]int64, 1, n+1)}
	var sum int64
	for i := 1; i <= n; i++ {
		step := f.p.dearest(u, i)
		if step == impossible {
			break
		}
		sum += step
		x.at = append(x.at, f.p.length[m+i]+sum)
	}
	x.at[0] = impossible
	x.rest = make([]int64, max(len(x.at), 1)+1)
	x.rest[len(x.at)] = impossible
	for k := len(x.at) - 1; k >= 0; k-- {
		x.rest[k] = max(x.rest[k+1], x.at[k])
	}
	f.known[*u] = x
	return x
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

// longestUseful returns the most rules of a list that can have an F of least, if
// no Σ l is above likelihood.
func (p *posterior) longestUseful(likelihood, least int64) int {
	f := newFutures(p, p.most).of(0, &used{})
	m := len(f.at) - 1
	for m > 0 && f.rest[m]+likelihood+slack*int64(p.most+2) < least {
		m--
	}
	return m
}

// emptyMayPay reports whether a rule that captures nothing can make a list of up
// to longest rules better, or as good.
func (p *posterior) emptyMayPay(longest int) bool {
	if len(p.width) == 0 { // no antecedents: every cell is missing, say
		return false
	}
	all, least := p.lnZ[len(p.lnZ)-1], p.width[0]
	for _, w := range p.width {
		least = min(least, w)
	}
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
