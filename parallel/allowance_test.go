package parallel

import "testing"

// checks returns how many of n prefixes are compared with everything, if each
// that is expanded takes the given steps and every hit-th check finds that the
// prefix is dominated; 0: none.
func checks(a *Allowance, n, hit int, steps int64) (whole int) {
	for range n {
		if a.Affords() {
			if whole++; hit > 0 && whole%hit == 0 {
				a.Earn()
				continue
			}
		}
		a.Expanded(steps)
	}
	return whole
}

func TestAllowance(t *testing.T) {
	const n = 100_000
	a := NewAllowance(1248, 0)
	cheap, dear := a.check/4, a.check*20
	for _, c := range []struct {
		name  string
		hit   int
		steps int64
		least int
		most  int
	}{
		{"nothing dominated", 0, cheap, n / longestPause, n/longestPause + 10 + int(credit/a.check)},
		{"an expansion in ten saved, cheap", 10, cheap, n / longestPause, n / firstPause},
		{"an expansion in ten saved, dear", 10, dear, n - 10*longestPause, n},
		{"nothing dominated again", 0, dear, n / longestPause, n/longestPause + 10 + mostSaved},
	} {
		if got := checks(&a, n, c.hit, c.steps); got < c.least || got > c.most {
			t.Errorf("%s: %d of %d prefixes were compared with everything, want %d to %d", c.name, got, n, c.least, c.most)
		}
	}
}

// A short search is checked in full.
func TestAllowanceAtFirst(t *testing.T) {
	a := NewAllowance(1248, 0)
	first := int(credit / a.check)
	if got := checks(&a, first, 0, 1); got != first {
		t.Errorf("%d of the first %d prefixes were compared with everything", got, first)
	}
}
