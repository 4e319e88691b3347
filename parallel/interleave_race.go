//go:build race

package parallel

import (
	"math/rand/v2"
	"runtime"
)

func interleave() { between() }

// between is what happens between two steps; a test may put its own there.
var between = letOthersIn

func letOthersIn() {
	if rand.Uint32()%8 == 0 {
		runtime.Gosched()
	}
}
