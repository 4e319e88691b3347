package cli

import (
	"strconv"
)

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
