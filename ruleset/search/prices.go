package search

import (
	"math/big"

	"parcorels/instance"
	"parcorels/optionerr"
	"parcorels/ratio"
)

// The prices of the paper's experiments, in units of one sample's weight: β0 = β1 = 1 for an error, β2 = 1/10 for
// an overlap.
const overlaps = 10 // that cost what an error does

// fineBits is how finely the multipliers of the distorted greedy algorithm are
// kept: as multiples of 2^−20.
const fineBits = 20

const one = int64(1) << fineBits

// scaled are prices as integers: multiples of 1/unit. Values of rule sets are
// integers in these units. Values of subproblems, whose revenue has a multiplier
// a/2^20, are integers in units of 1/(unit·2^20); only the multiplier is
// rounded (greedy.go says how), all else is exact.
type scaled struct {
	unit    int64 // β0 and β1
	overlap int64 // β2
	λ       int64
}

// maxValue bounds what all samples can cost together, in the units of
// subproblems, so that no sum overflows.
const maxValue = int64(1) << 60

// scale makes integers of the prices for points that weigh total, and so many literals.
func scale(λ ratio.Ratio, total int64, literals int) (scaled, error) {
	if !λ.Valid() || λ.Num < 0 {
		return scaled{}, optionerr.Errorf("Literal", "option Literal is negative or no number")
	}
	common := overlaps / ratio.GCD(overlaps, λ.Den)
	unit, literal := times(λ.Den, common), times(λ.Num, common)
	most := times(total, 2*overlaps+1) // of what samples cost, in overlaps; and then also the literals of a rule
	most.Mul(most, new(big.Int).Quo(unit, big.NewInt(overlaps)))
	most.Add(most, new(big.Int).Mul(literal, big.NewInt(int64(literals)+2)))
	if !unit.IsInt64() || most.Lsh(most, fineBits+1).Cmp(big.NewInt(maxValue)) > 0 {
		return scaled{}, optionerr.Errorf("Prices", "with these weights the objective would overflow: use weights of fewer digits, such "+
			"as 1 and 20 for classes, or prices of fewer digits")
	}
	return scaled{unit.Int64(), unit.Int64() / overlaps, literal.Int64()}, nil
}

func times(a, b int64) *big.Int { return new(big.Int).Mul(big.NewInt(a), big.NewInt(b)) }

// worth returns what covering points adds to a subproblem: weights (positive
// and negative) of every point, given the multiplier a/2^20 of the revenue and
// the points that are covered already. It is, of the paper's ω (section 4.2), the
// sum over the samples of a point.
func (s scaled) worth(pts *instance.Points, covered []uint64, a int64) (gain, loss []int64) {
	gain, loss = make([]int64, 64*pts.Words), make([]int64, 64*pts.Words)
	fresh := a*(s.unit+s.overlap) - one*s.overlap
	for i := range pts.Count {
		positive, negative := pts.Weights[1][i], pts.Weights[0][i]
		w := fresh * positive
		if covered[i/64]>>(i%64)&1 != 0 {
			w = -one * s.overlap * positive
		}
		w -= one * s.unit * negative
		if w > 0 {
			gain[i] = w
		} else {
			loss[i] = -w
		}
	}
	return gain, loss
}
