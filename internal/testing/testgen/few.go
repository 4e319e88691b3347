package testgen

import (
	"testing"

	"parcorels/internal/testing/cases"
)

// Few returns n, or with the race detector or without assembly a quarter of it, at least 1.
// Tests repeat n times what they compare; with the detector each time takes ten times as
// long, and a race shows as soon as the code runs, whatever the instance. Without assembly,
// the tests of package bitvec compare the kernels; others need only meet each of them.
func Few(n int) int {
	if Raced || plain {
		return max(1, n/4)
	}
	return n
}

// Each calls f with some of so many instances of each of three families, the largest of which exhaustive search cannot do.
func Each(n int, f func(in Instance)) {
	for seed := range uint64(cases.Some(n)) {
		for _, g := range []Generator{Small, Wide, Medium} {
			f(g(seed))
		}
	}
}

// NotRaced skips a test where the race detector is on: nothing in it runs side by side, or
// nothing that other tests do not run so too.
func NotRaced(t testing.TB) {
	if t.Helper(); Raced {
		t.Skip("nothing in it is new to the race detector")
	}
}
