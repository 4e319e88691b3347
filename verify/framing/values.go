package framing

import (
	"cmp"
	"math"
	"math/big"
	"math/bits"

	"parcorels/ratio"
)

// Endless stands for no limit of splits on a path.
const Endless = math.MaxInt32

// Splits returns the splits that may follow on a path from all samples; depth is the most, 0 for no limit.
func Splits(depth int) int { return cmp.Or(depth, Endless) }

// Fewer returns the splits that are left below a split.
func Fewer(splits int) int {
	if splits == Endless {
		return Endless
	}
	return splits - 1
}

// Far is larger than any value of a tree; two of them add up without overflow.
const Far = int64(1) << 61

// NewValues returns what an error and a leaf count in values of trees, K·objective + leaves, which are
// one integer each. Errors that no tree avoids are left out. It checks K against samples of a total
// weight in so many groups, of which one leaf gets oneLeaf wrong, and that values of worst errors and
// so many leaves fit.
//
// Why the smallest value has the smallest objective, and of those the fewest
// leaves: let T have the smallest objective and then the fewest leaves. It has no
// leaf without a group, as the tree without that leaf would be as good, so at
// most as many leaves as there are groups, and one; and its objective is at most that of
// one leaf, so (leaves − 1)·num·N ≤ den·(errors of one leaf, beyond those that no
// tree avoids). K is larger than the smaller of both. If T' has a smaller value
// than T but not a smaller objective, it has the same one and fewer leaves; else
// its objective would be larger by 1 at least, its value by K − leaves(T) > 0.
func NewValues(k int64, lambda ratio.Ratio, total int64, groups int, oneLeaf, worst, leaves int64) (unit, price int64, err error) {
	most := big.NewInt(int64(max(groups, 1)))
	step := new(big.Int).Mul(big.NewInt(lambda.Num), big.NewInt(total))
	if step.Sign() > 0 {
		paid := new(big.Int).Mul(big.NewInt(lambda.Den), big.NewInt(oneLeaf))
		if paid.Add(paid.Div(paid, step), big.NewInt(1)); paid.Cmp(most) < 0 {
			most = paid
		}
	}
	if k < 1 || bits.OnesCount64(uint64(k)) != 1 || big.NewInt(k).Cmp(most) <= 0 {
		return 0, 0, Refused("its K is %d, expected a power of two above %v", k, most)
	}
	perError := new(big.Int).Mul(big.NewInt(k), big.NewInt(lambda.Den))
	perLeaf := new(big.Int).Add(new(big.Int).Mul(big.NewInt(k), step), big.NewInt(1))
	largest := new(big.Int).Mul(perError, big.NewInt(worst))
	largest.Add(largest, new(big.Int).Mul(perLeaf, big.NewInt(leaves)))
	if largest.Cmp(big.NewInt(Far)) >= 0 {
		return 0, 0, Refused("values up to %v exceed 61 bits", largest)
	}
	return perError.Int64(), perLeaf.Int64(), nil
}

// CheckObjectives makes sure that objectives fit: what every tree gets wrong counts there, too. Leaves
// cost less than their value.
func CheckObjectives(lambda ratio.Ratio, total int64) error {
	if all := new(big.Int).Mul(big.NewInt(lambda.Den), big.NewInt(total)); all.Cmp(big.NewInt(Far)) >= 0 {
		return Refused("objectives up to %v exceed 61 bits", all)
	}
	return nil
}
