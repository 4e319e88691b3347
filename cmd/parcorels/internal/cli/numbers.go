package cli

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"time"

	"parcorels/internal/wording"
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

// short returns a count in at most 7 columns: "999,999", "1.23M", "123G".
func short(n int64) string {
	if n < 1e6 {
		return wording.Thousands(n)
	}
	v, unit := float64(n)/1e6, 0
	for v >= 999.5 && unit < 3 {
		v, unit = v/1e3, unit+1
	}
	return strconv.FormatFloat(v, 'f', decimalsOf(v), 64) + "MGTP"[unit:unit+1]
}

// decimalsOf returns how many decimals give v, below 1000, three digits.
func decimalsOf(v float64) int {
	switch {
	case v < 9.995:
		return 2
	case v < 99.95:
		return 1
	}
	return 0
}

// seconds returns a duration for reading: "0.02 s", "12.3 s", "3h 05m", in at most 9
// columns below a century.
func seconds(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return fmt.Sprintf("%.2f s", d.Seconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < time.Hour:
		return fmt.Sprintf("%dm %02ds", int(d.Minutes()), int(d.Seconds())%60)
	case d < 100*time.Hour:
		return fmt.Sprintf("%dh %02dm", int(d.Hours()), int(d.Minutes())%60)
	}
	return wording.Thousands(int64(d.Hours())) + " h"
}

// percentage returns a share of one: "13.8%". Only nothing is "0.0%".
func percentage(x float64) string {
	if x > 0 && x < 0.001 {
		return "<0.1%"
	}
	return fmt.Sprintf("%.1f%%", 100*x)
}
