package bayes

import (
	"errors"
	"math/big"
	"math/bits"
	"sync"

	"parcorels/ratio"
)

// tables are logarithms in units of 2^−32 nats, each rounded to the nearest unit but for
// the differences and products that docs/proof-format.md names.
type tables struct {
	rising1, rising0, both []int64 // R of α1, of α0 and of their sum, by k
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

var errCards = errors.New("the antecedents have more different numbers of conditions than a proof can be about")
var errPrior = errors.New("a parameter of its prior is not positive")

func float(x int64) *big.Float { return new(big.Float).SetPrec(precision).SetInt64(x) }

// odd are 1/3, 1/5, …
var odd = func() (terms [64]*big.Float) {
	for i := range terms {
		terms[i] = new(big.Float).Quo(float(1), float(int64(2*i+3)))
	}
	return terms
}()

// artanh returns 2·artanh(z) for |z| ≤ 1/3, by its series, of which the rest is below 2^−precision.
func artanh(z *big.Float) *big.Float {
	square, sum, power := new(big.Float).Mul(z, z), new(big.Float).Copy(z), new(big.Float).Copy(z)
	term := new(big.Float).SetPrec(precision)
	for _, over := range odd {
		if power.MantExp(nil) < -precision {
			break
		}
		power.Mul(power, square)
		sum.Add(sum, term.Mul(power, over))
	}
	return sum.Add(sum, sum)
}

var ln2 = artanh(new(big.Float).Quo(float(1), float(3)))

// ln returns the logarithm of a positive number m·2^e: ln m = 2·artanh((m−1)/(m+1)).
func ln(x *big.Float) *big.Float {
	m := new(big.Float)
	e := float(int64(x.MantExp(m)))
	z := new(big.Float).Quo(new(big.Float).Sub(m, float(1)), new(big.Float).Add(m, float(1)))
	return e.Add(e.Mul(e, ln2), artanh(z))
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

// rising tabulates R for k ≤ n parts, of which so many are a sample: the difference of lnΓ(α+r/parts) and lnΓ(α) with the
// sum of the positive logarithms from there on, less the sum of the others, each rounded.
func rising(alpha *big.Float, n, parts int64) []int64 {
	t := make([]int64, n+1)
	base := gamma(alpha)
	for r := int64(0); r < parts && r <= n; r++ {
		at := new(big.Float).Add(alpha, new(big.Float).Quo(float(r), float(parts)))
		sums := [2]*big.Float{float(0), float(0)}
		if r > 0 {
			sums[0].Sub(gamma(at), base)
		}
		var log *big.Float // of at
		for k := r; ; k += parts {
			t[k] = units(sums[0]) - units(sums[1])
			if k+parts > n {
				break
			}
			if log == nil || at.Cmp(float(32)) < 0 {
				log = ln(at)
			} else {
				// ln x − ln(x−1) = 2·artanh(1/(2x−1))
				log.Add(log, artanh(new(big.Float).Quo(float(1), new(big.Float).Sub(new(big.Float).Add(at, at), float(1)))))
			}
			if log.Sign() < 0 {
				sums[1].Sub(sums[1], log)
			} else {
				sums[0].Add(sums[0], log)
			}
			at.Add(at, float(1))
		}
	}
	return t
}

// gammaTerms are Bernoulli's numbers B_2, B_4, … over 2k·(2k−1), by the recurrence Σ over i ≤ m of C(m+1, i)·B_i = 0.
var gammaTerms = sync.OnceValue(func() (terms []*big.Float) {
	var all []*big.Rat
	for m := int64(0); m <= 40; m++ {
		sum := new(big.Rat)
		for i, b := range all {
			sum.Sub(sum, new(big.Rat).Mul(new(big.Rat).SetInt(new(big.Int).Binomial(m+1, int64(i))), b))
		}
		if m == 0 {
			sum.SetInt64(m + 1)
		}
		all = append(all, sum.Quo(sum, big.NewRat(m+1, 1)))
		if m > 1 && m%2 == 0 {
			terms = append(terms, new(big.Float).SetPrec(precision).SetRat(new(big.Rat).Quo(all[m], big.NewRat(m*(m-1), 1))))
		}
	}
	return terms
})

// gamma returns lnΓ(x) − ½ ln 2π by Stirling's series at x + 64, whose terms up to B_40 leave less than 2^−150, and
// Γ(x+1) = x·Γ(x).
func gamma(x *big.Float) *big.Float {
	product, y := float(1), new(big.Float).Copy(x)
	for range 64 {
		product.Mul(product, y)
		y.Add(y, float(1))
	}
	sum := new(big.Float).Sub(y, big.NewFloat(.5))
	sum.Mul(sum, ln(y)).Sub(sum, y).Sub(sum, ln(product))
	power := new(big.Float).Quo(float(1), y)
	square := new(big.Float).Mul(power, power)
	for _, c := range gammaTerms() {
		sum.Add(sum, new(big.Float).Mul(c, power))
		power.Mul(power, square)
	}
	return sum
}

// newTables computes what F asks for: cards are the antecedents' numbers of
// conditions, n1 and n0 the parts of samples of the classes.
func newTables(h *Header, cards []int, n1, n0, parts int64) (*tables, error) {
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
	t.rising1, t.rising0 = rising(a1, n1, parts), rising(a0, n0, parts)
	t.both = rising(new(big.Float).Add(a1, a0), n1+n0, parts)
	return t, t.addPrior(h, cards)
}

func (t *tables) addPrior(h *Header, cards []int) error {
	m := len(cards)
	factorial := rising(float(1), int64(m), 1)
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

// entropy returns n·H(a/n) in units, rounded down, for n = a + b parts of samples.
func entropy(a, b, parts int64) int64 {
	times := func(n int64) *big.Float { return new(big.Float).Mul(float(n), ln(float(n))) }
	h := times(a + b)
	h.Sub(h, times(a)).Sub(h, times(b))
	n, _ := new(big.Float).SetMantExp(h.Quo(h, float(parts)), unitBits).Int64()
	return max(0, n)
}
