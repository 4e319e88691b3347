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

func (a fix) minus(b fix) fix {
	lo, borrow := bits.Sub64(a.lo, b.lo, 0)
	return fix{a.hi - b.hi - borrow, lo}
}

// by returns n·a.
func (a fix) by(n uint64) fix {
	carry, lo := bits.Mul64(a.lo, n)
	return fix{a.hi*n + carry, lo}
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

// risingBits bounds q·n + p·s in logRising, which doubles it.
const risingBits = 62

// logRising returns t with t[k] = lnΓ(α+k/s) − lnΓ(α) for k = 0 … n, in units, where α = p/q is positive. From k to k+s it
// adds ln(α+k/s).
func logRising(p, q uint64, n, s int) []int64 {
	t := make([]int64, n+1)
	p, step := p*uint64(s), q*uint64(s)
	start := lnGamma(p, step)
	for r := range min(s, n+1) {
		x := p + uint64(r)*q // α + k/s = x/step
		var sum, less fix    // less is what is subtracted: logarithms below 0
		if r > 0 {
			sum = lnGamma(x, step).minus(start)
		}
		var current fix
		for k := r; ; k, x = k+s, x+step {
			t[k] = sum.units() - less.units()
			if k+s > n {
				break
			}
			switch {
			case x < step:
				less = less.add(lnFix(step, x))
			case k < 32*s || x < 32*step:
				current = lnFix(x, step)
				sum = sum.add(current)
			default:
				// ln(x/step) = ln((x−step)/step) + 2·artanh(step/(2x−step))
				current = current.add(artanh2(ratioFix(step, 2*x-step)))
				sum = sum.add(current)
			}
		}
	}
	return t
}

// stirling are the factors B_2k/(2k·(2k−1)) of y^(1−2k) in the series of lnΓ(y). From y = 16 on, the next one adds less
// than 2^−88.
var stirling = []struct {
	num int64
	den uint64
}{{1, 12}, {-1, 360}, {1, 1260}, {-1, 1680}, {1, 1188}, {-691, 360360}, {1, 156}, {-3617, 122400}, {43867, 244188},
	{-174611, 125400}, {77683, 5796}, {-236364091, 1506960}}

// lnGamma returns lnΓ(p/q) − ½ ln 2π for positive p/q, negative numbers as two's complements: by Stirling's series
// (y−½)·ln y − y + … at y = p/q + 16, less the logarithms on the way.
func lnGamma(p, q uint64) fix {
	const shift = 16
	y := p + shift*q
	whole, part := y/q, ratioFix(y%q, q)
	ln := lnFix(y, q)
	sum := ln.by(whole).minus(ln.over(2))
	sum = sum.add(ln.over(32).times(part).by(32)) // factors below 1
	sum = sum.minus(fix{whole << 32, 0}).minus(part)
	power := ratioFix(q, y)
	square := power.times(power)
	for _, c := range stirling {
		if c.num > 0 {
			sum = sum.add(power.by(uint64(c.num)).over(c.den))
		} else {
			sum = sum.minus(power.by(uint64(-c.num)).over(c.den))
		}
		power = power.times(square)
	}
	for x := p; x < y; x += q {
		if x < q {
			sum = sum.add(lnFix(q, x))
		} else {
			sum = sum.minus(lnFix(x, q))
		}
	}
	return sum
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
