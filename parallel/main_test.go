package parallel_test

import (
	"flag"
	"testing"

	"go.uber.org/goleak"
)

var (
	soak = flag.Duration("soak", 0, "search for a failure on fresh random instances for this long, in each test that can")
	seed = flag.Uint64("seed", 1, "first seed of the random instances")
)

// TestMain fails when a test leaves a goroutine behind: none may outlive Solve.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m)
}
