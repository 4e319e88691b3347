package dataset

import "testing"

// seeds returns how many random tables a test draws: a fifth of n in short runs.
func seeds(n uint64) uint64 {
	if testing.Short() {
		return n / 5
	}
	return n
}
