package first

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"parcorels/internal/testing/testgen"
)

// beams calls f with a beam over each of some instances.
func beams(t *testing.T, each int, f func(in testgen.Instance, b *beam)) {
	t.Helper()
	testgen.Each(each, func(in testgen.Instance) {
		if p := laidOut(t, in); len(p.Antecedents) > 0 {
			f(in, newBeam(p, &meter{limit: math.MaxInt64}))
		}
	})
}

// TestBeam: what a beam finds is a list with the objective that it says, below
// what it was asked for.
func TestBeam(t *testing.T) {
	beams(t, 30, func(in testgen.Instance, b *beam) {
		below := b.p.EmptyObjective()
		for _, width := range []int{1, 2, 5, 20} {
			if !b.run(width, below) {
				continue
			}
			if b.objective >= below {
				t.Fatalf("width %d: objective %d, not below %d\n%v", width, b.objective, below, in)
			}
			if want := objectiveOf(t, in, b.p, b.list); b.objective != want {
				t.Fatalf("width %d, columns %v: objective %d and not %d\n%v", width, b.list, b.objective, want, in)
			}
			below = b.objective
		}
	})
}

func TestCompareProducts(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	draw := func() int64 {
		if r.IntN(4) == 0 {
			return int64(r.IntN(3))
		}
		return r.Int64() >> r.IntN(62)
	}
	for range 10000 {
		a, b, c, d := draw(), draw(), draw(), draw()
		if r.IntN(3) == 0 {
			c, d = b, a
		}
		x := new(big.Int).Mul(big.NewInt(a), big.NewInt(b))
		y := new(big.Int).Mul(big.NewInt(c), big.NewInt(d))
		if got := compareProducts(a, b, c, d); got != x.Cmp(y) {
			t.Fatalf("%d·%d against %d·%d: %d", a, b, c, d, got)
		}
	}
}
