package cli

import (
	"math"
	"math/big"

	"parcorels/ratio"
)

// digits is how many decimals an objective is given with at least.
const digits = 10

// digitsFor returns as many, or so many that the price of a rule shows with two.
func digitsFor(lambda ratio.Ratio) int {
	if lambda.Num == 0 {
		return digits
	}
	return max(digits, 2+int(math.Ceil(-math.Log10(lambda.Float()))))
}

// decimal returns num/den, an objective for the price λ, with so many digits;
// rounding down keeps a lower bound one.
func decimal(num, den int64, lambda ratio.Ratio, down bool) string {
	digits := digitsFor(lambda)
	x := new(big.Rat).SetFrac64(num, den)
	if !down {
		return x.FloatString(digits)
	}
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits)), nil)
	floor := new(big.Int).Mul(x.Num(), scale)
	floor.Quo(floor, x.Denom())
	return new(big.Rat).SetFrac(floor, scale).FloatString(digits)
}
