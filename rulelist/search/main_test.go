package search

import (
	"flag"
	"runtime/debug"
	"testing"

	"go.uber.org/goleak"
)

var (
	soak  = flag.Duration("soak", 0, "search for a failure on fresh random instances for this long, in each test that can")
	seed  = flag.Uint64("seed", 1, "first seed of the random instances")
	again = flag.Bool("again", false, "make only the run of the soak that has the first seed")
)

// TestMain fails when a test leaves a goroutine behind: none may outlive Solve.
func TestMain(m *testing.M) {
	debug.SetTraceback("all") // a hang ends in a panic, and what matters is what the others wait for
	goleak.VerifyTestMain(m)
}
