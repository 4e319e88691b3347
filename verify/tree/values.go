package tree

import (
	"math/big"
	"math/bits"

	"parcorels/ratio"
	"parcorels/verify/framing"
)

// far is larger than any value; two of them add up without overflow.
const far = int64(1) << 61

// values turn errors and leaves into one integer, K·objective + leaves. Errors that no
// tree avoids are left out.
//
// Why the smallest value has the smallest objective, and of those the fewest
// leaves: let T have the smallest objective and then the fewest leaves. It has no
// leaf without a group, as the tree without that leaf would be as good, so at
// most as many leaves as there are groups, and one; and its objective is at most that of
// one leaf, so (leaves − 1)·num·N ≤ den·(errors of one leaf, beyond those that no
// tree avoids). K is larger than the smaller of both. If T' has a smaller value
// than T but not a smaller objective, it has the same one and fewer leaves; else
// its objective would be larger by 1 at least, its value by K − leaves(T) > 0.
type values struct {
	unit, price int64
}

// newValues checks K against the samples.
func newValues(k int64, lambda ratio.Ratio, s *samples, worst int64) (values, error) {
	most := new(big.Int).SetInt64(int64(max(s.groups, 1)))
	step := new(big.Int).Mul(big.NewInt(lambda.Num), big.NewInt(s.total))
	if step.Sign() > 0 {
		paid := new(big.Int).Mul(big.NewInt(lambda.Den), big.NewInt(worst))
		paid.Add(paid.Div(paid, step), big.NewInt(1))
		if paid.Cmp(most) < 0 {
			most = paid
		}
	}
	if k < 1 || bits.OnesCount64(uint64(k)) != 1 || big.NewInt(k).Cmp(most) <= 0 {
		return values{}, framing.Refused("its K is %d, expected a power of two above %v", k, most)
	}
	unit := new(big.Int).Mul(big.NewInt(k), big.NewInt(lambda.Den))
	price := new(big.Int).Add(new(big.Int).Mul(big.NewInt(k), step), big.NewInt(1))
	// No set costs more in one leaf than all samples do.
	largest := new(big.Int).Mul(unit, big.NewInt(worst))
	largest.Add(largest, new(big.Int).Mul(price, big.NewInt(4)))
	if !largest.IsInt64() || largest.Int64() >= far {
		return values{}, framing.Refused("values up to %v exceed 61 bits", largest)
	}
	return values{unit.Int64(), price.Int64()}, nil
}

// of returns the value of a tree, far if it is larger.
func (v values) of(errors, leaves int64) int64 {
	hi, lo := bits.Mul64(uint64(leaves), uint64(v.price))
	if hi != 0 || lo >= uint64(far) {
		return far
	}
	return min(far, v.unit*errors+int64(lo))
}
