package search

// This file is the posterior of a rule list (Yang, Rudin and Seltzer, Scalable
// Bayesian Rule Lists, ICML 2017, section 2). For a list d of m antecedents,
//
//	F(d) = ln p(m) + Σ over j of (w(c_j) − ln Z(avail_j) − ln(q(c_j) − u_j(c_j)))
//	       + Σ over j = 0 … m of l(n1_j, n0_j)
//
// is the logarithm of its prior and likelihood, up to a constant:
//
//   - p is the Poisson distribution with mean λ, cut off at the number of
//     antecedents; w(c) = c·ln η − ln c! is that of cardinalities with mean η, of which
//     Z sums e^w over those of which antecedents are left (avail_j);
//   - q(c) antecedents have cardinality c, u_j(c) of them were used before rule j;
//   - l(a, b) = lnΓ(a+α1) + lnΓ(b+α0) − lnΓ(a+b+α1+α0) − ln B(α1, α0), for the n1_j and
//     n0_j samples that rule j (the last j: the default) captures of each class, by weight. The
//     paper leaves the last term out; it matters for the optimum unless α = (1, 1).
//
// F is defined as a sum of integers (logs.go), in units of 2^−32 nats.

import (
	"math/big"
	"math/bits"

	"parcorels/bitvec"
	"parcorels/instance"
	"parcorels/optionerr"
	"parcorels/ratio"
)

// Prior holds the parameters of the posterior, named as in the paper.
type Prior struct {
	Length ratio.Ratio // λ: the expected number of rules
	Width  ratio.Ratio // η: the expected number of conditions of a rule
	Alpha1 ratio.Ratio // α of class 1: pseudo-samples of the Beta prior of a rule
	Alpha0 ratio.Ratio // α of class 0
}

// maxPrior bounds numerators and denominators of the prior's parameters.
const maxPrior = 1 << 20

// Validate reports the first parameter that is out of range, as a *optionerr.Error.
func (p Prior) Validate() error {
	for _, x := range []struct {
		name  string
		value ratio.Ratio
	}{{"Length", p.Length}, {"Width", p.Width}, {"Alpha1", p.Alpha1}, {"Alpha0", p.Alpha0}} {
		if !x.value.Valid() || x.value.Num <= 0 || x.value.Num > maxPrior || x.value.Den > maxPrior {
			return optionerr.Errorf(x.name, "option %s must be positive, with at most six digits", x.name)
		}
	}
	return nil
}

// maxWeight bounds the weight of the samples: there is a table entry for each
// unit of it.
const maxWeight = 1 << 26

// posterior computes F on one data set. It is immutable.
type posterior struct {
	in       *instance.Instance // a place per distinct point and class, at what it weighs
	at       [2][]int           // by class and point: its place, −1 if there is none
	all      []uint64           // every place
	matrix   *bitvec.Matrix     // the columns, to count all of them in a set at once
	card     []int              // by antecedent: the index of its cardinality in quantity
	quantity []int              // by cardinality: antecedents that have it
	most     int                // rules that a list may have
	may      restriction

	perSample                    int64   // units of weight that are a sample
	rising1, rising0, risingBoth []int64 // lnΓ(α+k) − lnΓ(α), by k in units of weight
	length                       []int64 // ln p(m), by m
	width                        []int64 // w, by cardinality index
	lnZ                          []int64 // by the set of available cardinalities, as bits
	lnCount                      []int64 // ln k, by k
}

// maxCards bounds how many different cardinalities antecedents may have.
const maxCards = 12

// newPosterior prepares the tables. Cards gives the cardinality of every
// antecedent; lists have at most most rules (0: no limit). The points weigh perSample units for each sample.
func newPosterior(pts *instance.Points, cards []int, prior Prior, most int, perSample int64) (*posterior, error) {
	if err := prior.Validate(); err != nil {
		return nil, err
	}
	if pts.Classes != 2 {
		return nil, optionerr.Errorf("Data", "a Bayesian rule list tells 2 classes apart, not %d", pts.Classes)
	}
	if pts.Total > maxWeight {
		return nil, optionerr.Errorf("Weight", "the samples weigh %d together, at most %d are possible: use weights of fewer digits",
			pts.Total, maxWeight)
	}
	in, at := pts.Split()
	p := &posterior{perSample: perSample, in: in, at: at, all: in.All(), matrix: in.Matrix()}
	if err := p.countCards(cards); err != nil {
		return nil, err
	}
	n1, n0 := int(pts.ClassTotals[1]), int(pts.ClassTotals[0])
	a1, a0 := prior.Alpha1, prior.Alpha0
	both := ratio.Sum(a1.Rat(), a0.Rat())
	// logRising multiplies counts and pseudo-counts by the denominators, in words.
	pseudo := new(big.Int).Mul(both.Num(), big.NewInt(perSample))
	if most := new(big.Int).Mul(both.Denom(), big.NewInt(pts.Total)); most.Add(most, pseudo).BitLen() > risingBits {
		return nil, optionerr.Errorf("Alpha1", "option Alpha1 has too many digits for samples that weigh %d together", pts.Total)
	}
	p.rising1 = logRising(uint64(a1.Num), uint64(a1.Den), n1, int(perSample))
	p.rising0 = logRising(uint64(a0.Num), uint64(a0.Den), n0, int(perSample))
	p.risingBoth = logRising(both.Num().Uint64(), both.Denom().Uint64(), n1+n0, int(perSample))
	p.tabulatePrior(prior, cards, most)
	return p, nil
}

// countCards numbers the cardinalities.
func (p *posterior) countCards(cards []int) error {
	index := map[int]int{}
	for _, c := range cards {
		i, ok := index[c]
		if !ok {
			i = len(p.quantity)
			index[c] = i
			p.quantity = append(p.quantity, 0)
		}
		p.card = append(p.card, i)
		p.quantity[i]++
	}
	if len(p.quantity) > maxCards {
		return optionerr.Errorf("MaxCard", "antecedents have %d different numbers of conditions, at most %d are possible: lower option "+
			"MaxCard", len(p.quantity), maxCards)
	}
	return nil
}

// tabulatePrior fills the tables of the prior.
func (p *posterior) tabulatePrior(prior Prior, cards []int, most int) {
	m := len(cards)
	if most == 0 || most > m {
		most = m
	}
	p.most = most
	// ln p(k) = k·ln λ − ln k! − ln Σ over i ≤ M of λ^i/i!
	λ, η := prior.Length.Rat(), prior.Width.Rat()
	lnλ, lnη := lnUnits(λ), lnUnits(η)
	factorial := logRising(1, 1, max(p.most, m)+1, 1)
	norm := lnUnits(exponentialSum(λ, m))
	for k := range p.most + 1 {
		p.length = append(p.length, int64(k)*lnλ-factorial[k]-norm)
	}
	byIndex := make([]int, len(p.quantity))
	for a, c := range cards {
		byIndex[p.card[a]] = c
	}
	weights := make([]*big.Rat, len(byIndex))
	for i, c := range byIndex {
		p.width = append(p.width, int64(c)*lnη-logRising(1, 1, c, 1)[c])
		weights[i] = new(big.Rat).Quo(power(η, c), new(big.Rat).SetInt(new(big.Int).MulRange(1, int64(max(c, 1)))))
	}
	p.lnZ = make([]int64, 1<<len(byIndex))
	for set := 1; set < len(p.lnZ); set++ {
		z := new(big.Rat)
		for s := uint(set); s != 0; s &= s - 1 {
			z.Add(z, weights[bits.TrailingZeros(s)])
		}
		p.lnZ[set] = lnUnits(z)
	}
	p.lnCount = make([]int64, m+1)
	for k := 1; k <= m; k++ {
		p.lnCount[k] = factorial[k] - factorial[k-1]
	}
}

func power(x *big.Rat, n int) *big.Rat {
	r := big.NewRat(1, 1)
	for range n {
		r.Mul(r, x)
	}
	return r
}

// exponentialSum returns Σ over i ≤ n of x^i/i!, as far as 2^−80 of it matter.
func exponentialSum(x *big.Rat, n int) *big.Rat {
	const precision = 256
	sum, term := new(big.Float).SetPrec(precision).SetInt64(1), new(big.Float).SetPrec(precision).SetInt64(1)
	fx := new(big.Float).SetPrec(precision).SetRat(x)
	about, _ := x.Float64()
	for i := 1; i <= n; i++ {
		term.Mul(term, fx)
		term.Quo(term, new(big.Float).SetPrec(precision).SetInt64(int64(i)))
		sum.Add(sum, term)
		if sum.MantExp(nil)-term.MantExp(nil) > 100 && float64(i) > 2*about {
			break
		}
	}
	r, _ := sum.Rat(nil)
	return r
}

// leaf is l(n1, n0).
func (p *posterior) leaf(n1, n0 int64) int64 {
	return p.rising1[n1] + p.rising0[n0] - p.risingBoth[n1+n0]
}

// used counts the antecedents of each cardinality that a list has.
type used [maxCards]uint16

// price is what the prior says of a rule with antecedent a behind rules that used u.
func (p *posterior) price(u *used, a int) int64 { return p.priceOf(u, p.card[a]) }

// priceOf is price of an antecedent of cardinality index c.
func (p *posterior) priceOf(u *used, c int) int64 {
	available := 0
	for i, q := range p.quantity {
		if int(u[i]) < q {
			available |= 1 << i
		}
	}
	return p.width[c] - p.lnZ[available] - p.lnCount[p.quantity[c]-int(u[c])]
}

// prices is priceOf for all cardinalities of which an antecedent is left.
func (p *posterior) prices(u *used) (prices [maxCards]int64) {
	for c, q := range p.quantity {
		if int(u[c]) < q {
			prices[c] = p.priceOf(u, c)
		}
	}
	return prices
}
