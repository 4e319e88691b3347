package cli

import (
	"math"
	"strconv"
	"strings"
)

// units of sizes in bytes. A single letter stands for the power of 1024, as in
// most tools.
var units = map[string]float64{
	"b": 1, "kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12,
	"kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40,
	"k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40,
}

// minMemory is the least that --memory takes: a number below it is most likely
// one without its unit.
const minMemory = 1 << 20

// parseSize reads sizes such as 8GiB, 512MB or 1.5g.
func parseSize(text string) (int64, error) {
	digits := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ ")
	unit, ok := units[strings.ToLower(strings.TrimSpace(text[len(digits):]))]
	if text != "" && digits == text {
		unit, ok = 1, true
	}
	n, err := strconv.ParseFloat(digits, 64)
	if err != nil || !ok || !(n*unit >= minMemory && n*unit < math.MaxInt64) {
		return 0, errExpected
	}
	return int64(n * unit), nil
}

// size returns bytes in at most 8 columns: "512 B", "3.4 MiB", "120 GiB".
func size(bytes int64) string {
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
