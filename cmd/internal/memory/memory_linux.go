package memory

import (
	"bytes"
	"io/fs"
	"strconv"
	"strings"
)

// freeMemory reads the kernel's estimate of what can be had without swapping.
func freeMemory(root fs.FS) (int64, bool) {
	text, err := fs.ReadFile(root, "proc/meminfo")
	if err != nil {
		return 0, false
	}
	for line := range bytes.Lines(text) {
		if f := strings.Fields(string(line)); len(f) == 3 && f[0] == "MemAvailable:" && f[2] == "kB" {
			n, err := strconv.ParseInt(f[1], 10, 53)
			return n << 10, err == nil
		}
	}
	return 0, false
}
