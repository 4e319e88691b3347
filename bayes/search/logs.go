package search

// This file tabulates logarithms as integers, in units of 2^−32 nats.
//
// The posterior of a rule list is a sum of logarithms of Gamma functions at counts.
// As floats such sums depend on their order and on the machine. Here the logarithm
// of a posterior is defined as a sum of integers from tables: equal for all workers,
// orders and machines, and of two prefixes with the same counts neither wins by
// rounding.
//
// The tables are computed with 96 binary digits behind the point. ln(x+1) follows
// from ln x by 2·artanh(1/(2x+1)), whose series has few terms for x above some tens;
// below, logarithms are computed one by one. An entry of the Gamma table sums k
// logarithms, each off by less than k·2^−90, so for k ≤ 2^26 it is off by
// less than 2^−38 before it is rounded: at most one unit in the end.

import (
	"math/big"
	"math/bits"
)

// fracBits is the number of binary digits of a table entry behind the point.
const fracBits = 32

// fix is a number with 96 binary digits behind the point; hi holds 32 digits
// before and 32 behind it, lo the others.
type fix struct{ hi, lo uint64 }

func (a fix) add(b fix) fix {
	lo, carry := bits.Add64(a.lo, b.lo, 0)
	return fix{a.hi + b.hi + carry, lo}
}

// over returns a/n.
func (a fix) over(n uint64) fix {
	hi, r := a.hi/n, a.hi%n
	lo, _ := bits.Div64(r, a.lo, n)
	return fix{hi, lo}
}

// times returns a·b for a, b < 1: the middle of a product of 256 digits.
func (a fix) times(b fix) fix {
	h1, l1 := bits.Mul64(a.hi, b.lo)
	h2, l2 := bits.Mul64(a.lo, b.hi)
	h3, _ := bits.Mul64(a.lo, b.lo)
	top1, top0 := bits.Mul64(a.hi, b.hi)
	m, c1 := bits.Add64(l1, l2, 0)
	m, c2 := bits.Add64(m, h3, 0)
	t, c3 := bits.Add64(h1, h2, c1)
	low, c4 := bits.Add64(top0, t, c2)
	high := top1 + c3 + c4
	// The product has 192 digits behind the point: shift it right by 96.
	return fix{high<<32 | low>>32, low<<32 | m>>32}
}

// ratioFix returns p/q for p < q < 2^63.
func ratioFix(p, q uint64) fix {
	first, rest := bits.Div64(p, 0, q)
	second, _ := bits.Div64(rest, 0, q)
	// first.second has 128 digits behind the point; 96 are kept.
	return fix{first >> 32, first<<32 | second>>32}
}

// artanh2 returns 2·artanh(z) for z ≤ 1/3.
func artanh2(z fix) fix {
	square := z.times(z)
	sum, power := z, z
	for n := uint64(3); ; n += 2 {
		power = power.times(square)
		term := power.over(n)
		if term == (fix{}) {
			return sum.add(sum)
		}
		sum = sum.add(term)
	}
}

// ln2 is ln 2 = 2·artanh(1/3).
var ln2 = artanh2(ratioFix(1, 3))

// lnFix returns ln(p/q) for 1 ≤ p/q and p, q < 2^62: p/q = 2^e·f with 1 ≤ f < 2, and
// ln f = 2·artanh((f−1)/(f+1)).
func lnFix(p, q uint64) fix {
	var sum fix
	for p >= 2*q {
		q *= 2
		sum = sum.add(ln2)
	}
	return sum.add(artanh2(ratioFix(p-q, p+q)))
}

// units rounds to units of 2^−32.
func (a fix) units() int64 {
	hi := a.hi
	if a.lo>>63 != 0 {
		hi++
	}
	return int64(hi)
}

// risingBits bounds q·n + p in logRising, which doubles it.
const risingBits = 62

// logRising returns t with t[k] = Σ over i < k of ln(α+i) = lnΓ(α+k) − lnΓ(α) for
// k = 0 … n, in units, where α = p/q is positive.
func logRising(p, q uint64, n int) []int64 {
	t := make([]int64, n+1)
	var sum, less fix // less is what is subtracted: logarithms below 0
	var current fix
	for i := range n {
		x := uint64(i)*q + p // α + i = x/q
		switch {
		case x < q:
			less = less.add(lnFix(q, x))
		case i < 32 || x < 32*q:
			current = lnFix(x, q)
			sum = sum.add(current)
		default:
			// ln(x/q) = ln((x−q)/q) + 2·artanh(q/(2x−q))
			current = current.add(artanh2(ratioFix(q, 2*x-q)))
			sum = sum.add(current)
		}
		t[i+1] = sum.units() - less.units()
	}
	return t
}

// lnUnits returns ln x of a positive rational in units, rounded.
func lnUnits(x *big.Rat) int64 {
	p, q := new(big.Int).Set(x.Num()), new(big.Int).Set(x.Denom())
	negative := p.Cmp(q) < 0
	if negative {
		p, q = q, p
	}
	// Halve p until p/q < 2, then keep the 61 first digits of both.
	var sum fix
	for p.Cmp(new(big.Int).Lsh(q, 1)) >= 0 {
		q.Lsh(q, 1)
		sum = sum.add(ln2)
	}
	if extra := p.BitLen() - 61; extra > 0 {
		p.Rsh(p, uint(extra))
		q.Rsh(q, uint(extra))
	}
	a, b := p.Uint64(), q.Uint64()
	u := sum.add(artanh2(ratioFix(a-b, a+b))).units()
	if negative {
		return -u
	}
	return u
}
