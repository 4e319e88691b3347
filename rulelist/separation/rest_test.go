package separation

import (
	"math/rand/v2"
	"testing"

	"parcorels/internal/testing/testgen"
)

// TestRest: sets rest near the incumbent, none of which has a row, and all that a point violates are roused.
func TestRest(t *testing.T) {
	rested, roused := 0, 0
	for seed := range testgen.Seeds(20) {
		x := layOut(t, testgen.Noisy(uint64(seed)))
		far := x.p.NewRoot(1<<30, 1)
		far.Solve(1<<60, Effort{Work: 1 << 22})
		r := x.p.NewRoot(1<<30, 1)
		r.Solve(far.Value+r.P.rule, Effort{Work: 1 << 23})
		all := len(r.resting) + len(r.s.sets)
		if all > r.Pool.Len() {
			t.Fatalf("seed %d: %d sets with a row or at rest, of %d", seed, all, r.Pool.Len())
		}
		if len(r.resting) == 0 {
			continue
		}
		rested++
		rng := rand.New(rand.NewPCG(uint64(seed), 103))
		for i := range r.s.next.v {
			if r.s.next.v[i] = 0; rng.IntN(20) == 0 {
				r.s.next.v[i] = rng.Float64()
			}
		}
		before := len(r.resting)
		shares := r.s.shares(r.P, r.s.next.v)
		awake := r.rouse()
		roused += len(awake)
		if len(awake)+len(r.resting) != before {
			t.Fatalf("seed %d: of %d sets %d are roused and %d rest", seed, before, len(awake), len(r.resting))
		}
		for _, k := range awake {
			if left := r.bareSide(k, shares); left >= 1 {
				t.Fatalf("seed %d: a set is roused whose left side is %v", seed, left)
			}
		}
		for _, k := range r.resting {
			if left := r.bareSide(k, shares); left < 1-2*tolerance {
				t.Fatalf("seed %d: a set rests whose left side is %v", seed, left)
			}
		}
	}
	if rested == 0 || roused == 0 {
		t.Errorf("%d roots had sets at rest, %d were roused", rested, roused)
	}
}

// bareSide adds up a left side by plain loops.
func (r *Root) bareSide(k int32, x Shares) (sum float64) {
	set := r.Pool.Set(k)
	for _, e := range set {
		sum += x.Points[e]
	}
	for rule, v := range x.Rules {
		col, q := rule/r.P.labels, rule%r.P.labels
		held, pure := false, true
		for _, e := range set {
			if r.P.Columns[col][e/64]>>(e%64)&1 == 1 {
				held, pure = true, pure && r.P.label(e) == q
			}
		}
		if held && pure && r.Context.IsLive(rule) {
			sum += v
		}
	}
	return sum
}
