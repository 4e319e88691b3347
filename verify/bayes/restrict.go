package bayes

import (
	"errors"
	"math/big"
	"math/bits"

	"parcorels/ratio"
	"parcorels/verify/framing"
)

// restriction says which lists there may be. Each rule decides so many samples, whatever these weigh. In a falling list neither a
// rule nor the default has a larger chance to be of class 1 than the rule before it.
type restriction struct {
	rows    [][]uint64 // the groups that have each binary digit in their number of samples
	least   int64
	falling bool
	scale   int64    // a chance is (n1 + α1) / (n + α1 + α0), both multiplied by this
	alpha   [2]int64 // α of each class, so multiplied
}

var errFalling = errors.New("its α has too many digits for falling lists")

// chance is that of class 1 in a rule, a fraction. That of a list that need not fall is 0/0.
type chance struct{ num, den int64 }

// newRestriction makes a restriction on groups of so many samples, of a total weight in units of which so many are a sample, where
// α is given by class.
func newRestriction(least int, falling bool, alpha [2]ratio.Ratio, samples []int64, total, parts int64) (restriction, error) {
	r := restriction{least: int64(least), falling: falling}
	if least > 0 {
		r.rows = framing.Digits(samples)
	}
	if !falling {
		return r, nil
	}
	scale := new(big.Int).Mul(big.NewInt(alpha[0].Den), big.NewInt(alpha[1].Den))
	one := new(big.Int).Mul(big.NewInt(alpha[1].Num), big.NewInt(alpha[0].Den))
	zero := new(big.Int).Mul(big.NewInt(alpha[0].Num), big.NewInt(alpha[1].Den))
	one.Mul(one, big.NewInt(parts))
	zero.Mul(zero, big.NewInt(parts))
	most := new(big.Int).Mul(scale, big.NewInt(total))
	if most.Add(most, one).Add(most, zero).BitLen() > 63 || scale.Sign() <= 0 || one.Sign() <= 0 || zero.Sign() <= 0 {
		return r, errFalling
	}
	r.scale, r.alpha = scale.Int64(), [2]int64{zero.Int64(), one.Int64()}
	return r, nil
}

// of returns the chance in a rule that captures samples of the classes.
func (r *restriction) of(n [2]int64) chance {
	if !r.falling {
		return chance{}
	}
	return chance{n[1]*r.scale + r.alpha[1], (n[0]+n[1])*r.scale + r.alpha[0] + r.alpha[1]}
}

// above reports whether one chance is larger than another.
func (x chance) above(y chance) bool {
	a, b := bits.Mul64(uint64(x.num), uint64(y.den))
	c, d := bits.Mul64(uint64(y.num), uint64(x.den))
	return a > c || a == c && b > d
}

// begins is what the first rule falls from.
func (r *restriction) begins() chance {
	if !r.falling {
		return chance{}
	}
	return chance{1, 1}
}

// lets reports whether a rule that captures n samples by class, those of a set that are in a column, may follow one of a chance.
func (r *restriction) lets(last chance, n [2]int64, set, column []uint64) bool {
	if r.of(n).above(last) {
		return false
	}
	return r.rows == nil || framing.Sum(r.rows, set, column) >= r.least
}
