//go:build race

package trie

import (
	"math/rand/v2"
	"runtime"
)

func interleave() { between() }

// between is what happens between two steps; a test may put its own there.
var between = letOthersIn

func letOthersIn() {
	if rand.Uint32()%4 == 0 {
		runtime.Gosched()
	}
}
