package wording

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

// Size returns bytes in at most 8 columns: "512 B", "3.4 MiB", "120 GiB".
func Size(bytes int64) string {
	const prefixes = "KMGTPE"
	if bytes < 1000 {
		return strconv.FormatInt(bytes, 10) + " B"
	}
	v, i := float64(bytes)/1024, 0
	for v >= 999.5 && i < len(prefixes)-1 {
		v, i = v/1024, i+1
	}
	decimals := 0
	if v < 9.95 {
		decimals = 1
	}
	return strconv.FormatFloat(v, 'f', decimals, 64) + " " + prefixes[i:i+1] + "iB"
}

// Short returns a count in at most 7 columns: "999,999", "1.23M", "123G".
func Short(n int64) string {
	if n < 1e6 {
		return Thousands(n)
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

// Seconds returns a duration for reading: "0.02 s", "12.3 s", "3h 05m", in at most 9
// columns below a century.
func Seconds(d time.Duration) string {
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
	return Thousands(int64(d.Hours())) + " h"
}

// Percentage returns a share of one: "13.8%". Only nothing is "0.0%".
func Percentage(x float64) string {
	if x > 0 && x < 0.001 {
		return "<0.1%"
	}
	return fmt.Sprintf("%.1f%%", 100*x)
}

// Brief returns a number with at most six digits, large ones whole.
func Brief(v float64) string {
	if math.Abs(v) >= 1e6 && math.Abs(v) < 1e15 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}

// Percent returns part of whole with one decimal, as in "65.9%". Only the
// whole is "100.0%" and only nothing is "0.0%": rounding never claims a rule
// to be perfect that is not. Empty if whole is zero.
func Percent(part, whole int64) string {
	if whole == 0 {
		return ""
	}
	s := strconv.FormatFloat(100*float64(part)/float64(whole), 'f', 1, 64)
	switch {
	case s == "100.0" && part < whole:
		s = "99.9"
	case s == "0.0" && part > 0:
		s = "0.1"
	}
	return s + "%"
}
