package search

import "testing"

// TestAscentsOfBeatenPrefixes: what is left of a prefix may be negative, where another
// worker lowers the incumbent below its bound, or no pruning drops it.
func TestAscentsOfBeatenPrefixes(t *testing.T) {
	for _, fall := range []int64{1, 10, 1 << 50} {
		var a ascents
		for i := range int64(1 << 12) {
			a.made(500-i*fall, 3)
		}
		if a.guess != a.work {
			t.Errorf("ascents took %d, and the last guess is %d where none are ahead", a.work, a.guess)
		}
	}
}
