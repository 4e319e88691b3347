package rulelist

import (
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/internal/testing/must"
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
		s := &framing.Samples{Classes: 2 + rng.IntN(3), Total: total}
		p := must.Get(newProblem(s, framing.About{Lambda: l, Weight: total}, &Proof{}, [32]byte{}))(t)
		sum := make([]int64, p.numbers)
		for range 3 { // points
			losses := make([]int64, s.Classes)
			for c := range losses[1:] {
				losses[c+1] = rng.Int64N(4)
			}
			rng.Shuffle(s.Classes, func(i, j int) { losses[i], losses[j] = losses[j], losses[i] })
			for c, x := range losses {
				sum[c] += x
			}
			if s.Classes > 2 {
				sum[s.Classes] += slices.Max(losses)
			}
		}
		worst := sum[0] + sum[1]
		if s.Classes > 2 {
			worst = sum[s.Classes]
		}
		gains := worst - slices.Min(sum[:s.Classes])
		want := l.Den*gains <= l.Num*total
		if p.useless(sum) != want {
			t.Fatalf("λ = %v, N = %d: useless(%v) is not %v", l, total, sum, want)
		}
		if want {
			useless++
		}
	}
	if useless < 5000 || useless > 15000 {
		t.Errorf("%d of 20000 are useless", useless)
	}
}
