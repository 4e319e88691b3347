package search

// This file bounds the likelihood of every list that begins with a prefix.
//
// Let the prefix have m rules, add s to F, and leave a set u with r1 and r0 samples of
// the two classes. A list with k ≥ 1 more rules has
//
//	F = s + ln p(m+k) + (prices of the k rules) + Σ l over k+1 groups that share u out.
//
// future.go bounds the prior, this file Σ l. l(a,b) = ln E[θ^a (1−θ)^b] for θ drawn from
// the Beta prior. The bound holds for any α.
//
// Samples of one class in several groups are worth no more than together, as the
// moments of one θ are positively associated, and the classes no more than apart:
// Σ l ≤ l(r1,0) + l(0,r0) (Theorem 2 of the paper). And samples that satisfy the same antecedents stay together. If
// a point e holds a_e and b_e samples of the classes, θ^a_e (1−θ)^b_e ≤ e^(−n_e·H(a_e/n_e))
// for every θ, with n_e = a_e + b_e and H the entropy in nats. Taken out of the expectation,
// it leaves
//
//	Σ l ≤ −Σ over such e of n_e·H(a_e/n_e) + l(r1', 0) + l(0, r0'),
//
// where r1' and r0' count the other points.
//
// The inequalities hold for real numbers, while F is a sum of rounded table
// entries: at most six for a rule and four for the default, each off by one unit
// at most, and as many in a bound. So slack units are added for each of k+2 lines.

import (
	"math/big"
	"math/bits"

	"parcorels/bitvec"
	"parcorels/instance"
)

// slack is how many units a line of a list and of a bound may be off together.
const slack = 16

// bounder has the tables of the bounds. It is immutable.
type bounder struct {
	p       *posterior
	mixed   bool           // whether some point has samples of both classes
	pure    *bitvec.Planes // of the points without the other class, what they weigh
	entropy *bitvec.Planes // of the others, at their place of class 1, n·H in units of 2^shift, rounded down
	shift   int
}

// newBounder makes the tables. The entropy is rounded down to 1/16 nat for all points together: few digits count fast.
func newBounder(p *posterior, pts *instance.Points) *bounder {
	b := &bounder{p: p}
	in := p.in
	pure, mixed := make([]int64, 64*in.Words), make([]int64, 64*in.Words)
	count := 0
	for i := range pts.Count {
		w1, w0 := pts.Weights[1][i], pts.Weights[0][i]
		switch at1, at0 := p.at[1][i], p.at[0][i]; {
		case w1 > 0 && w0 > 0:
			mixed[at1] = entropy(w1, w0) / p.perSample
			count++
		case w1 > 0:
			pure[at1] = w1
		default:
			pure[at0] = w0
		}
	}
	b.mixed = count > 0
	b.shift = max(0, fracBits-4-bits.Len(uint(count)))
	for i := range mixed {
		mixed[i] >>= b.shift
	}
	b.pure, b.entropy = bitvec.NewPlanes(pure, in.Words1), bitvec.NewPlanes(mixed, in.Words1)
	return b
}

// entropy returns n·H(a/n) for n = a + b, in units of 2^−32 nats, not more than it is.
func entropy(a, b int64) int64 {
	ln := func(k int64) int64 { return lnUnits(new(big.Rat).SetInt64(k)) }
	n := a + b
	// Each logarithm is off by one unit at most.
	return max(0, n*ln(n)-a*ln(a)-b*ln(b)-2*n)
}

// apart is what a bound of Σ l asks of a set: samples at points of one class, and the entropy of the others.
type apart struct{ n1, n0, entropy int64 }

func (b *bounder) apart(u []uint64) (x apart) {
	x.n1, x.n0 = b.pure.Cost(u)
	x.entropy, _ = b.entropy.Cost(u)
	return x
}

// most bounds Σ l of any number of rules.
func (b *bounder) most(x apart) int64 {
	return b.p.leaf(x.n1, 0) + b.p.leaf(0, x.n0) - x.entropy<<b.shift
}

// child is what a prefix with one more rule leaves, and what is known of it.
type child struct {
	antecedent int32
	sum        int64 // that its rules add to F
	r1, r0     int64
	bound      int64 // on F of all lists with more rules
}
