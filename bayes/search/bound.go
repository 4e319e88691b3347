package search

// This file bounds the posterior of every list that begins with a prefix.
//
// Let the prefix have m rules, add s to F, and leave a set u with r1 and r0 samples of
// the two classes. A list with k ≥ 1 more rules has
//
//	F = s + ln p(m+k) + (prior of the k rules) + Σ l over k+1 groups that share u out.
//
// Likelihood. l(a,b) = ln E[θ^a (1−θ)^b] for θ drawn from the Beta prior. Samples
// of one class in several groups are worth no more than together, as the moments of one
// θ are positively associated: Σ l ≤ l(r1,0) + l(0,r0) (Theorem 2 of the paper). Samples
// that satisfy the same antecedents stay together. If a point e holds a_e and b_e samples
// of both classes, θ^a_e (1−θ)^b_e ≤ e^(−n_e·H(a_e/n_e)) for every θ, with n_e = a_e + b_e
// and H the entropy in nats; taken out of the expectation, it leaves
//
//	Σ l ≤ −Σ over such e of n_e·H(a_e/n_e) + l(r1', 0) + l(0, r0'),
//
// where r1' and r0' count the other points. The smaller of the two bounds is taken.
//
// Prior. The price of a rule is at most 0. Let G_k be the largest sum of prices of k
// more rules, over all orders of cardinalities. G_k falls with k, and p(m+k) falls for
// m+k > λ, so the largest ln p(m+k) + G_k is at a k of at most max(1, ⌈λ⌉ − m).
//
// Both inequalities hold for real numbers, while F is a sum of rounded table
// entries: at most six for a rule and four for the default, each off by one unit at
// most. So that many units are added for each of m+k+1 lines.

import (
	"math/big"

	"parcorels/bitvec"
	"parcorels/instance"
)

// bounder computes bounds. It belongs to one search.
type bounder struct {
	p       *posterior
	pure    *bitvec.Planes // of the points without the other class, what they weigh
	entropy *bitvec.Planes // of the others, at their point of class 1, n·H in units, rounded down
	longest int            // ⌈λ⌉
	toGo    map[used]int64 // max over k ≥ 1 of ln p(m+k) + G_k, by the use of a prefix
	prices  map[depthUse]int64
}

type depthUse struct {
	use used
	k   int
}

// slackPerLine is how many units a line of a list may be off.
const slackPerLine = 6

func newBounder(p *posterior, pts *instance.Points, prior Prior) *bounder {
	b := &bounder{p: p, toGo: map[used]int64{}, prices: map[depthUse]int64{}}
	b.longest = int((prior.Length.Num + prior.Length.Den - 1) / prior.Length.Den)
	pure, mixed := make([]int64, 64*p.in.Words), make([]int64, 64*p.in.Words)
	place := newPlaces(p.in)
	for i := range pts.Count {
		w1, w0 := pts.Weights[1][i], pts.Weights[0][i]
		switch at1, at0 := place.of(pts, i); {
		case w1 > 0 && w0 > 0:
			mixed[at1] = entropy(w1, w0)
		case w1 > 0:
			pure[at1] = w1
		default:
			pure[at0] = w0
		}
	}
	b.pure, b.entropy = bitvec.NewPlanes(pure, p.in.Words1), bitvec.NewPlanes(mixed, p.in.Words1)
	return b
}

// entropy returns n·H(a/n) for n = a + b, in units, not more than it is.
func entropy(a, b int64) int64 {
	ln := func(k int64) int64 { return lnUnits(new(big.Rat).SetInt64(k)) }
	n := a + b
	// Each logarithm is off by one unit at most.
	return max(0, n*ln(n)-a*ln(a)-b*ln(b)-2*n)
}

// likelihood bounds Σ l over all ways to share out u.
func (b *bounder) likelihood(u []uint64) int64 {
	n1, n0 := b.p.in.Planes.Cost(u)
	p1, p0 := b.pure.Cost(u)
	h, _ := b.entropy.Cost(u)
	apart := b.p.leaf(n1, 0) + b.p.leaf(0, n0)
	return min(apart, b.p.leaf(p1, 0)+b.p.leaf(0, p0)-h)
}

// below bounds F of every list that has more rules than a prefix of length m,
// which adds sum to F, uses use, and leaves u. It returns false if no list may be
// longer.
func (b *bounder) below(m int, sum int64, use *used, u []uint64) (int64, bool) {
	if m >= b.p.most {
		return 0, false
	}
	rest, ok := b.toGo[*use]
	if !ok {
		rest = b.rest(m, use)
		b.toGo[*use] = rest
	}
	lines := int64(max(m+1, b.longest) + 1)
	return sum + rest + b.likelihood(u) + slackPerLine*lines, true
}

// rest is max over k ≥ 1 of ln p(m+k) + G_k.
func (b *bounder) rest(m int, use *used) int64 {
	best := b.p.length[m+1] + b.price(*use, 1)
	for k := 2; k <= b.longest-m && m+k <= b.p.most; k++ {
		best = max(best, b.p.length[m+k]+b.price(*use, k))
	}
	return best
}

// impossible is the price of rules that there are not.
const impossible = -int64(1) << 60

// price is G_k.
func (b *bounder) price(use used, k int) int64 {
	if k == 0 {
		return 0
	}
	key := depthUse{use, k}
	if g, ok := b.prices[key]; ok {
		return g
	}
	best := impossible
	for c, q := range b.p.quantity {
		if use[c] == q {
			continue
		}
		after := use
		after[c]++
		best = max(best, b.p.priceOf(&use, c)+b.price(after, k-1))
	}
	b.prices[key] = best
	return best
}

// places finds the points of the split instance by their columns' bits.
type places struct {
	in *instance.Instance
	at [2]map[string]int
}

func newPlaces(in *instance.Instance) *places {
	p := &places{in: in, at: [2]map[string]int{{}, {}}}
	for i, c := range in.Costs {
		if c > 0 {
			class := 0
			if i < 64*in.Words1 {
				class = 1
			}
			p.at[class][key(in.Columns, i)] = i
		}
	}
	return p
}

// of returns where the two classes of point i of pts are, 0 where there is none.
func (p *places) of(pts *instance.Points, i int) (at1, at0 int) {
	k := key(pts.Columns, i)
	return p.at[1][k], p.at[0][k]
}

// key is the bits of a point.
func key(columns [][]uint64, i int) string {
	bytes := make([]byte, (len(columns)+7)/8)
	for c, words := range columns {
		bytes[c/8] |= byte(words[i/64]>>(i%64)&1) << (c % 8)
	}
	return string(bytes)
}
