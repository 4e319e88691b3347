package rulelist

import (
	"math/rand/v2"
	"slices"
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
		s := &framing.Samples{Classes: 2 + rng.IntN(3), Total: total}
		p, err := newProblem(s, framing.About{Lambda: l, Weight: total}, 0, [32]byte{})
		if err != nil {
			t.Fatal(err)
		}
		sum := make([]int64, p.numbers)
		all := slices.Clone(sum)
		for range 3 { // points, of which two are captured
			losses := make([]int64, s.Classes)
			for c := range losses[1:] {
				losses[c+1] = rng.Int64N(12)
			}
			rng.Shuffle(s.Classes, func(i, j int) { losses[i], losses[j] = losses[j], losses[i] })
			copy(sum, all)
			for c, x := range losses {
				all[c] += x
			}
			if s.Classes > 2 {
				all[s.Classes] += slices.Max(losses)
			}
		}
		worst, left := sum[0]+sum[1], all[0]+all[1]-sum[0]-sum[1]
		if s.Classes > 2 {
			worst, left = sum[s.Classes], all[s.Classes]-sum[s.Classes]
		}
		gains := worst - slices.Min(sum[:s.Classes])
		want := l.Den*gains <= l.Num*total || l.Den*left <= l.Num*total
		if p.useless(sum, all) != want {
			t.Fatalf("λ = %v, N = %d: useless(%v, %v) is not %v", l, total, sum, all, want)
		}
		if want {
			useless++
		}
	}
	if useless < 5000 || useless > 15000 {
		t.Errorf("%d of 20000 are useless", useless)
	}
}
