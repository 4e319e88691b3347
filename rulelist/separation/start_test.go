package separation

import (
	"math/rand/v2"
	"testing"

	"parcorels/internal/testing/testgen"
)

// TestRootFrom: an LP that begins where another one of the same problem has ended has its bound
// before the first step. One that begins with any weights has a true bound.
func TestRootFrom(t *testing.T) {
	generators := []testgen.Generator{testgen.Small, testgen.Ties, testgen.Nearly}
	begun, done := 0, 0
	for seed := range testgen.Seeds(3000) {
		rng := rand.New(rand.NewPCG(uint64(seed), 97))
		x := layOut(t, generators[seed%len(generators)](uint64(seed)))
		if x.in.Points > 16 || x.in.Points == 0 || x.in.Antecedents == 0 {
			continue
		}
		done++
		r := x.p.NewRoot(1<<30, 1)
		r.Solve(1<<60, Effort{Work: 1 << (8 + rng.IntN(8))})
		end := r.End()
		if end == nil {
			continue
		}
		begun++
		again := x.p.RootFrom(end, 1)
		again.Solve(1<<60, Effort{})
		if again.s.bestValue < r.s.bestValue*(1-1e-9) {
			t.Fatalf("seed %d: the LP ended with a bound of %v, and begins again with %v\n%v", seed, r.s.bestValue, again.s.bestValue,
				x.Instance)
		}
		for i := range end.Y {
			end.Y[i] *= 4 * rng.Float64()
		}
		for i := range end.Rules {
			end.Rules[i] = rng.Float64()
		}
		other := x.p.RootFrom(end, 1)
		other.Solve(1<<60, Effort{Work: 1 << (8 + rng.IntN(8))})
		if best := x.best(points(x.p.all), 0); other.Value > best.value {
			t.Fatalf("seed %d: the bound is %d, the optimum %d\n%v", seed, other.Value, best.value, x.Instance)
		}
	}
	if begun < done/3 {
		t.Errorf("%d of %d roots had an LP", begun, done)
	}
}
