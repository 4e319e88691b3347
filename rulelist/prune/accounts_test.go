package prune

import "testing"

// Where one expansion in a hundred is saved, a glance pays with few points and
// does not with many.
func TestGlance(t *testing.T) {
	const n, hit, steps = 100_000, 100, 1_000
	for words, want := range map[int]func(glances int) bool{
		0:      func(glances int) bool { return glances == n },
		10_000: func(glances int) bool { return glances <= n/32 },
	} {
		a, glances := glanceAllowance(words), 0
		for range n {
			if a.Affords() {
				if glances++; glances%hit == 0 {
					a.Earn()
					continue
				}
			}
			a.Expanded(steps)
		}
		if !want(glances) {
			t.Errorf("%d words: a glance at %d of %d prefixes", words, glances, n)
		}
	}
}
