package rulelist

import (
	"math/rand/v2"
	"testing"

	"parcorels/ratio"
	"parcorels/verify/framing"
)

// TestUselessIsTheDefinition compares with den·x ≤ num·N, near equality.
func TestUselessIsTheDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	useless := 0
	for range 20000 {
		l := ratio.New(1+rng.Int64N(9), 10+rng.Int64N(40))
		total := 1 + rng.Int64N(60)
		s := &samples{total: total}
		p, err := newProblem(s, framing.About{Lambda: l, Weight: total}, 0, [32]byte{})
		if err != nil {
			t.Fatal(err)
		}
		g := gains{rng.Int64N(20), rng.Int64N(20)}
		all := gains{g[0] + rng.Int64N(10), g[1] + rng.Int64N(10)}
		left := all[0] + all[1] - g[0] - g[1]
		want := l.Den*max(g[0], g[1]) <= l.Num*total || l.Den*left <= l.Num*total
		if p.useless(g, all) != want {
			t.Fatalf("λ = %v, N = %d: useless(%v, %v) is not %v", l, total, g, all, want)
		}
		if want {
			useless++
		}
	}
	if useless < 5000 || useless > 15000 {
		t.Errorf("%d of 20000 are useless", useless)
	}
}
