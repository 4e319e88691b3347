package bayes

import (
	"errors"
	"math"
	"math/big"
	"math/bits"

	"parcorels/ratio"
)

// tables are logarithms in units of 2^−32 nats, each rounded to the nearest unit but for
// the differences and products that docs/proof-format.md names.
type tables struct {
	rising1, rising0, both []int64 // Σ over i < k of ln(α+i), of α1, of α0 and of their sum
	length                 []int64 // ln p(m)
	width                  []int64 // w, by cardinality index
	z                      []int64 // ln Z, by the set of available cardinalities, as bits
	count                  []int64 // ln k! − ln (k−1)!
	quantity               []int   // antecedents, by cardinality index
	card                   []int   // cardinality index, by antecedent
	most                   int     // rules that a list may have
}

const (
	precision = 192
	unitBits  = 32
	maxCards  = 12
	maxWeight = 1 << 26
)

var (
	errCards = errors.New("the antecedents have more different numbers of conditions than a proof can be about")
	errPrior = errors.New("a parameter of its prior is not positive")
)

func float(x int64) *big.Float { return new(big.Float).SetPrec(precision).SetInt64(x) }

// exp returns e^x for |x| < 2^20: e^(x/2^h) by its series, squared h times.
func exp(x *big.Float) *big.Float {
	h := max(0, x.MantExp(nil)+16)
	small := new(big.Float).SetMantExp(x, -h)
	sum, term := float(1), float(1)
	for n := int64(1); n < 40; n++ {
		term.Mul(term, small).Quo(term, float(n))
		sum.Add(sum, term)
	}
	for range h {
		sum.Mul(sum, sum)
	}
	return sum
}

// ln returns the logarithm of a positive number: a float's logarithm y is improved
// to y + 2(x − e^y)/(x + e^y), which triples the digits that are right, twice.
func ln(x *big.Float) *big.Float {
	mantissa := new(big.Float)
	e := x.MantExp(mantissa)
	m, _ := mantissa.Float64()
	y := new(big.Float).SetPrec(precision).SetFloat64(math.Log(m) + float64(e)*math.Ln2)
	for range 2 {
		p := exp(y)
		up, down := new(big.Float).Sub(x, p), new(big.Float).Add(x, p)
		y.Add(y, up.Mul(up, float(2)).Quo(up, down))
	}
	return y
}

// units rounds to the nearest unit.
func units(x *big.Float) int64 {
	y := new(big.Float).SetMantExp(x, unitBits)
	half := big.NewFloat(.5)
	if y.Signbit() {
		half.Neg(half)
	}
	n, _ := y.Add(y, half).Int64()
	return n
}

func rational(x ratio.Ratio) *big.Float {
	return new(big.Float).SetPrec(precision).Quo(float(x.Num), float(x.Den))
}

// rising tabulates Σ over i < k of ln(α+i) for k ≤ n: the sum of the positive logarithms
// less that of the others, each rounded.
func rising(alpha *big.Float, n int64) []int64 {
	t := make([]int64, n+1)
	sums, at := [2]*big.Float{float(0), float(0)}, new(big.Float).Copy(alpha)
	for k := int64(1); k <= n; k++ {
		if x := ln(at); x.Sign() < 0 {
			sums[1].Sub(sums[1], x)
		} else {
			sums[0].Add(sums[0], x)
		}
		at.Add(at, float(1))
		t[k] = units(sums[0]) - units(sums[1])
	}
	return t
}

// newTables computes what F asks for: cards are the antecedents' numbers of
// conditions, n1 and n0 the samples of the classes.
func newTables(h *Header, cards []int, n1, n0 int64) (*tables, error) {
	for _, x := range []ratio.Ratio{h.Lambda, h.Width, h.Alpha1, h.Alpha0} {
		if x.Num < 1 || x.Den < 1 || x.Num > 1<<20 || x.Den > 1<<20 {
			return nil, errPrior
		}
	}
	t := &tables{most: len(cards)}
	if h.MaxRules > 0 {
		t.most = min(t.most, h.MaxRules)
	}
	a1, a0 := rational(h.Alpha1), rational(h.Alpha0)
	t.rising1, t.rising0 = rising(a1, n1), rising(a0, n0)
	t.both = rising(new(big.Float).Add(a1, a0), n1+n0)
	return t, t.addPrior(h, cards)
}

func (t *tables) addPrior(h *Header, cards []int) error {
	m := len(cards)
	factorial := rising(float(1), int64(m))
	lambda, eta := rational(h.Lambda), rational(h.Width)
	sum, term := float(1), float(1)
	for i := 1; i <= m; i++ {
		term.Mul(term, lambda).Quo(term, float(int64(i)))
		sum.Add(sum, term)
	}
	norm, lnLambda, lnEta := units(ln(sum)), units(ln(lambda)), units(ln(eta))
	for k := range t.most + 1 {
		t.length = append(t.length, int64(k)*lnLambda-factorial[k]-norm)
	}
	t.count = make([]int64, m+1)
	for k := 1; k <= m; k++ {
		t.count[k] = factorial[k] - factorial[k-1]
	}
	index := map[int]int{}
	var weights []*big.Float
	for _, c := range cards {
		i, known := index[c]
		if !known {
			i = len(t.quantity)
			index[c] = i
			t.quantity = append(t.quantity, 0)
			weight, product := float(1), float(1)
			for j := 1; j <= c; j++ {
				weight.Mul(weight, eta).Quo(weight, float(int64(j)))
				product.Mul(product, float(int64(j)))
			}
			t.width, weights = append(t.width, int64(c)*lnEta-units(ln(product))), append(weights, weight)
		}
		t.card = append(t.card, i)
		t.quantity[i]++
	}
	if len(t.quantity) > maxCards {
		return errCards
	}
	t.z = make([]int64, 1<<len(weights))
	for set := 1; set < len(t.z); set++ {
		z := float(0)
		for s := uint(set); s != 0; s &= s - 1 {
			z.Add(z, weights[bits.TrailingZeros(s)])
		}
		t.z[set] = units(ln(z))
	}
	return nil
}

// leaf is l(n1, n0).
func (t *tables) leaf(n1, n0 int64) int64 { return t.rising1[n1] + t.rising0[n0] - t.both[n1+n0] }

// used counts the antecedents of a prefix by cardinality index.
type used [maxCards]int

// price is what the prior adds for a rule of cardinality index c behind a prefix that used u.
func (t *tables) price(u *used, c int) int64 {
	available := 0
	for i, q := range t.quantity {
		if u[i] < q {
			available |= 1 << i
		}
	}
	return t.width[c] - t.z[available] - t.count[t.quantity[c]-u[c]]
}

// entropy returns n·H(a/n) in units, rounded down, for n = a + b.
func entropy(a, b int64) int64 {
	times := func(n int64) *big.Float { return new(big.Float).Mul(float(n), ln(float(n))) }
	h := times(a + b)
	h.Sub(h, times(a)).Sub(h, times(b))
	n, _ := new(big.Float).SetMantExp(h, unitBits).Int64()
	return max(0, n)
}
