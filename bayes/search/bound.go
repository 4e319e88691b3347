package search

// This file bounds the likelihood of every list that begins with a prefix.
//
// Let the prefix have m rules, add s to F, and leave a set u with r1 and r0 samples of
// the two classes. A list with k ≥ 1 more rules has
//
//	F = s + ln p(m+k) + (prices of the k rules) + Σ l over k+1 groups that share u out.
//
// future.go bounds the prior, this file Σ l. l(a,b) = ln E[θ^a (1−θ)^b] for θ drawn from
// the Beta prior, so l is convex. Three bounds hold for any α:
//
// Pure. Samples of one class in several groups are worth no more than together, as the
// moments of one θ are positively associated, and the classes no more than apart:
// Σ l ≤ l(r1,0) + l(0,r0) (Theorem 2 of the paper).
//
// Points of both classes. Samples that satisfy the same antecedents stay together. If
// a point e holds a_e and b_e samples of the classes, θ^a_e (1−θ)^b_e ≤ e^(−n_e·H(a_e/n_e))
// for every θ, with n_e = a_e + b_e and H the entropy in nats; taken out of the expectation,
// it leaves
//
//	Σ l ≤ −Σ over such e of n_e·H(a_e/n_e) + l(r1', 0) + l(0, r0'),
//
// where r1' and r0' count the other points.
//
// Capacity. Let A_1 ≥ A_2 ≥ … be how many samples of class 1 the antecedents have in u,
// B_1 ≥ B_2 ≥ … of class 0. With k more rules
//
//	Σ l ≤ max over k1 + k0 ≤ k of Σ_{i ≤ k1} l(A_i,0) + Σ_{i ≤ k0} l(0,B_i) + l(r1 − ΣA, r0 − ΣB).
//
// Rule j captures x_j ≤ A_j and y_j ≤ B_j samples, the default the rest. Relaxed to all
// such numbers, Σ l is convex, so it is largest where each x_j is 0 or A_j and each y_j
// is 0 or B_j (all of class 1 or 0 captured: one of them is what is left). No
// rule need have both: of groups (A,B) and (C,D),
//
//	l(A,B) + l(C,D) ≤ max(l(A,0) + l(C,B+D), l(0,B) + l(A+C,D)).
//
// If not, l(C,B+D) − l(C,D) < l(A,B) − l(A,0) and l(A+C,D) − l(C,D) < l(A,B) − l(0,B). The derivative of l by its second
// count grows in this count and falls in the other, as ψ does. So the first inequality asks for C > A, and the second for
// D > B. Each side of the first is that derivative's mean over B counts: at (C,D) or above on the left, at (A,B) or below on
// the right. So the derivative is less at (C,D) than at (A,B), and likewise that by the first count. But l is convex: its
// gradient does not fall in both on the way from (A,B) to the larger (C,D), a contradiction. So each
// rule is pure. Among pure rules of a class, those of the largest A are best: Σ l as a
// function of one x_j is convex and no less at x_j than at 0 (else the rule goes),
// so it grows from there on. If the A_i exceed r1 together, the last takes what is left,
// since of convex functions of shares the most unequal shares are largest.
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
	p            *posterior
	pure1, pure0 []int64 // l(n,0) and l(0,n)

	mixed   bool           // whether some point has samples of both classes
	pure    *bitvec.Planes // of the points without the other class, what they weigh
	entropy *bitvec.Planes // of the others, at their place of class 1, n·H in units of 2^shift, rounded down
	shift   int
}

func newBounder(p *posterior, pts *instance.Points) *bounder {
	b := &bounder{p: p, pure1: make([]int64, len(p.rising1)), pure0: make([]int64, len(p.rising0))}
	for n := range b.pure1 {
		b.pure1[n] = p.leaf(int64(n), 0)
	}
	for n := range b.pure0 {
		b.pure0[n] = p.leaf(0, int64(n))
	}
	b.addMixed(pts)
	return b
}

// addMixed fills in what the bound by points of both classes asks for. Their entropy is
// rounded down to 1/16 nat for all of them together: few digits count fast.
func (b *bounder) addMixed(pts *instance.Points) {
	in := b.p.in
	pure, mixed := make([]int64, 64*in.Words), make([]int64, 64*in.Words)
	count := 0
	for i := range pts.Count {
		w1, w0 := pts.Weights[1][i], pts.Weights[0][i]
		switch at1, at0 := b.p.at[1][i], b.p.at[0][i]; {
		case w1 > 0 && w0 > 0:
			mixed[at1] = entropy(w1, w0) / b.p.perSample
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
}

// entropy returns n·H(a/n) for n = a + b, in units of 2^−32 nats, not more than it is.
func entropy(a, b int64) int64 {
	ln := func(k int64) int64 { return lnUnits(new(big.Rat).SetInt64(k)) }
	n := a + b
	// Each logarithm is off by one unit at most.
	return max(0, n*ln(n)-a*ln(a)-b*ln(b)-2*n)
}

// apart bounds Σ l of any number of rules by points of both classes.
func (b *bounder) apart(u []uint64) int64 {
	p1, p0 := b.pure.Cost(u)
	h, _ := b.entropy.Cost(u)
	return b.pure1[p1] + b.pure0[p0] - h<<b.shift
}

// mostTops is the largest number of rules up to which the capacity bound is computed.
const mostTops = 6

// tops are the largest counts of a class among the antecedents in a set, with sums
// over the first of them.
type tops struct {
	n     int
	who   [mostTops + 1]int32
	count [mostTops + 1]int64
	sum   [mostTops + 2]int64
	value [mostTops + 2]int64 // Σ l of the first, pure
}

// find fills in t from the counts of all antecedents.
func (t *tops) find(counts []int64, pure []int64) {
	t.n = 0
	for a, g := range counts {
		if g == 0 || t.n > mostTops && g <= t.count[mostTops] {
			continue
		}
		i := min(t.n, mostTops)
		for ; i > 0 && t.count[i-1] < g; i-- {
			t.count[i], t.who[i] = t.count[i-1], t.who[i-1]
		}
		t.count[i], t.who[i] = g, int32(a)
		t.n = min(t.n+1, mostTops+1)
	}
	t.add(pure)
}

// add fills in the sums.
func (t *tops) add(pure []int64) {
	for i := range t.n {
		t.sum[i+1], t.value[i+1] = t.sum[i]+t.count[i], t.value[i]+pure[t.count[i]]
	}
}

// take returns what k antecedents capture at most of r samples of the class, and the
// largest Σ l of that, as pure rules. It returns false if fewer do as well.
func (t *tops) take(k int, r int64, pure []int64) (taken, value int64, ok bool) {
	switch {
	case k > t.n:
		return 0, 0, false
	case t.sum[k] < r || k == 0:
		return t.sum[k], t.value[k], true
	case t.sum[k-1] >= r:
		return 0, 0, false
	}
	return r, t.value[k-1] + pure[r-t.sum[k-1]], true
}

// child is what a prefix with one more rule leaves, and what is known of it.
type child struct {
	antecedent int32
	sum        int64 // that its rules add to F
	r1, r0     int64
	bound      int64 // on F of all lists with more rules
}

// limit bounds F of the lists below a child of a counted prefix: most is a bound of
// Σ l for any number of rules. For bounds below need, only that is known.
func (b *bounder) limit(c *child, t *[2]tops, f *future, most, need int64) int64 {
	end := slack * int64(len(f.at)+2)
	need = max(need, impossible+1) - c.sum - end // of what is behind the prefix
	if f.rest[1]+most < need {
		return impossible
	}
	bound, capacity := impossible, b.p.leaf(c.r1, c.r0)
	for k := 1; k < len(f.at) && f.rest[k]+most >= need; k++ {
		if capacity >= most || k > mostTops {
			bound = max(bound, f.rest[k]+most)
			break
		}
		for k1 := 0; k1 <= k; k1++ {
			taken1, value1, ok := t[1].take(k1, c.r1, b.pure1)
			if !ok {
				break // more do no better
			}
			if taken0, value0, ok := t[0].take(k-k1, c.r0, b.pure0); ok {
				capacity = max(capacity, value1+value0+b.p.leaf(c.r1-taken1, c.r0-taken0))
			}
		}
		bound = max(bound, f.at[k]+min(most, capacity))
	}
	if bound == impossible {
		return bound
	}
	return c.sum + bound + end
}
