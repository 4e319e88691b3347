package cases

import (
	"os"
	"runtime/debug"
)

// A small case leaves little on the heap, so that at Go's own pace the collector takes half
// of a test's seconds. The environment variable GOGC asks for another pace, as always.
func init() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(1000)
	}
}
