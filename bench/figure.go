package bench

import (
	"math"
	"strconv"
	"strings"

	"parcorels/internal/wording"
)

// figure returns a number with three digits that count, as the tables have it:
// ".00096", "1.67", "149", "12,300".
func figure(x float64) string {
	switch a := math.Abs(x); {
	case x == 0:
		return "0"
	case a >= 999.5:
		return wording.Thousands(int64(math.Round(x)))
	default:
		decimals := max(0, 2-int(math.Floor(math.Log10(a))))
		text := strconv.FormatFloat(x, 'f', decimals, 64)
		if strings.Contains(text, ".") {
			text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
		}
		if rest, ok := strings.CutPrefix(text, "0."); ok {
			return "." + rest
		}
		if rest, ok := strings.CutPrefix(text, "-0."); ok {
			return "-." + rest
		}
		return text
	}
}

// count returns an exact count.
func count(n int64) string { return wording.Thousands(n) }

// megabytes returns bytes in MB.
func megabytes(n int64) string { return figure(float64(n) / 1e6) }
