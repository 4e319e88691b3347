package search

import (
	"math/big"

	"parcorels/instance"
	"parcorels/optionerr"
	"parcorels/ratio"
)

// Prices are the parameters of the objective (Yang et al., NeurIPS 2021,
// equation 2), in units of one sample's weight.
type Prices struct {
	Beta0   ratio.Ratio // β0: each rule that covers a negative sample
	Beta1   ratio.Ratio // β1: a positive sample that no rule covers
	Beta2   ratio.Ratio // β2: each rule beyond the first that covers a positive sample
	Literal ratio.Ratio // λ: a literal of a rule
}

// DefaultPrices are those of the paper's experiments: an error costs 1, an
// overlap .1 and a literal 1.
func DefaultPrices() Prices {
	return Prices{Beta0: ratio.New(1, 1), Beta1: ratio.New(1, 1), Beta2: ratio.New(1, 10), Literal: ratio.New(1, 1)}
}

// Validate reports the first price that is out of range, as a *optionerr.Error.
func (p Prices) Validate() error {
	for _, x := range []struct {
		name  string
		value ratio.Ratio
	}{{"Beta0", p.Beta0}, {"Beta1", p.Beta1}, {"Beta2", p.Beta2}, {"Literal", p.Literal}} {
		if !x.value.Valid() || x.value.Num < 0 {
			return optionerr.Errorf(x.name, "option %s is negative or no number", x.name)
		}
	}
	if p.Beta0.Num == 0 && p.Literal.Num == 0 {
		return optionerr.Errorf("Literal", "option Beta0 and option Literal are both 0, so that a rule that covers everything is free")
	}
	return nil
}

// fineBits is how finely the multipliers of the distorted greedy algorithm are
// kept: as multiples of 2^−20.
const fineBits = 20

const one = int64(1) << fineBits

// scaled are prices as integers: multiples of 1/unit. Values of rule sets are
// integers in these units. Values of subproblems, whose revenue has a multiplier
// a/2^20, are integers in units of 1/(unit·2^20); only the multiplier is
// rounded (greedy.go says how), all else is exact.
type scaled struct {
	unit                   int64
	beta0, beta1, beta2, λ int64
}

// maxValue bounds what all samples can cost together, in the units of
// subproblems, so that no sum overflows.
const maxValue = int64(1) << 60

// scale makes integers of p for points that weigh total, and so many literals.
func (p Prices) scale(total int64, literals int) (scaled, error) {
	if err := p.Validate(); err != nil {
		return scaled{}, err
	}
	unit := big.NewInt(1)
	for _, x := range []ratio.Ratio{p.Beta0, p.Beta1, p.Beta2, p.Literal} {
		d := big.NewInt(x.Den)
		unit.Mul(unit, new(big.Int).Quo(d, new(big.Int).GCD(nil, nil, unit, d)))
	}
	most := new(big.Int) // of what samples and the literals of a rule cost
	integer := func(x ratio.Ratio, times int64) *big.Int {
		v := new(big.Int).Mul(big.NewInt(x.Num), new(big.Int).Quo(unit, big.NewInt(x.Den)))
		most.Add(most, new(big.Int).Mul(v, big.NewInt(times)))
		return v
	}
	values := [4]*big.Int{integer(p.Beta0, total), integer(p.Beta1, total), integer(p.Beta2, total), integer(p.Literal, int64(literals)+2)}
	if !unit.IsInt64() || most.Lsh(most, fineBits+1).Cmp(big.NewInt(maxValue)) > 0 {
		return scaled{}, optionerr.Errorf("Prices", "with these weights the objective would overflow: use weights of fewer digits, such "+
			"as 1 and 20 for classes, or prices of fewer digits")
	}
	return scaled{unit.Int64(), values[0].Int64(), values[1].Int64(), values[2].Int64(), values[3].Int64()}, nil
}

// worth returns what covering points adds to a subproblem: weights (positive
// and negative) of every point, given the multiplier a/2^20 of the revenue and
// the points that are covered already. It is, of the paper's ω (section 4.2), the
// sum over the samples of a point.
func (s scaled) worth(pts *instance.Points, covered []uint64, a int64) (gain, loss []int64) {
	gain, loss = make([]int64, 64*pts.Words), make([]int64, 64*pts.Words)
	fresh := a*(s.beta1+s.beta2) - one*s.beta2
	for i := range pts.Count {
		positive, negative := pts.Weights[1][i], pts.Weights[0][i]
		w := fresh * positive
		if covered[i/64]>>(i%64)&1 != 0 {
			w = -one * s.beta2 * positive
		}
		w -= one * s.beta0 * negative
		if w > 0 {
			gain[i] = w
		} else {
			loss[i] = -w
		}
	}
	return gain, loss
}
