package testgen

import "testing"

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

// NotRaced skips a test where the race detector is on: nothing in it runs side by side, or
// nothing that other tests do not run so too.
func NotRaced(t testing.TB) {
	if t.Helper(); Raced {
		t.Skip("nothing in it is new to the race detector")
	}
}
