//go:build !linux

package memory

import (
	"io/fs"
	"math"

	"github.com/shirou/gopsutil/v4/mem"
)

// freeMemory returns what can be had without swapping.
func freeMemory(fs.FS) (int64, bool) {
	m, err := mem.VirtualMemory()
	if err != nil || m.Available == 0 {
		return 0, false
	}
	return int64(min(m.Available, math.MaxInt64)), true
}
