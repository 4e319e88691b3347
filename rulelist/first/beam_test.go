package first

import (
	"cmp"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/internal/testing/testgen"
	"parcorels/rulelist/problem"
)

// beams calls f with a beam over each of some instances.
func beams(t *testing.T, each int, f func(in testgen.Instance, b *beam)) {
	t.Helper()
	instances(t, each, func(in testgen.Instance) {
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

// TestBeamLevels ranks all children of a level, and checks which are kept and
// what the next level makes of them.
func TestBeamLevels(t *testing.T) {
	beams(t, 20, func(in testgen.Instance, b *beam) {
		const width = 4
		b.begin()
		for n, depth := 1, 1; n > 0 && depth < 5; depth++ {
			all := b.everyChild(n)
			for i := range all {
				b.rank(&all[i], width)
			}
			for r, kept := range b.kept {
				b.checkKept(t, r, kept, all, width)
			}
			n = b.descend()
			for _, next := range b.level[:n] {
				all1, all0 := b.p.Planes.Cost(next.u)
				objective := next.cost + b.p.Unit*min(all1, all0)
				if len(next.list) != depth || objective != objectiveOf(t, in, b.p, next.list) {
					t.Fatalf("level %d holds %+v\n%v", depth, next, in)
				}
			}
		}
	})
}

// everyChild returns the children of the first n prefixes of the level that
// capture something.
func (b *beam) everyChild(n int) (all []beamChild) {
	p := b.p
	for i, up := range b.level[:n] {
		all1, all0 := p.Planes.Cost(up.u)
		for col := range p.Antecedents {
			u := slices.Clone(up.u)
			for w := range u {
				u[w] &= p.Columns[col][w]
			}
			g1, g0 := p.Planes.Cost(u)
			if g1+g0 == 0 {
				continue
			}
			c := beamChild{parent: i, col: problem.Column(col), left: all1 + all0 - g1 - g0, left0: all0 - g0}
			c.cost = up.cost + p.Price + p.Unit*min(g1, g0)
			c.objective = c.cost + p.Unit*min(c.left-c.left0, c.left0)
			c.paid, c.captured = c.cost-p.RootCost(), p.Sum-c.left
			all = append(all, c)
		}
	}
	return all
}

// checkKept sorts all children by a ranking written another way and compares.
func (b *beam) checkKept(t *testing.T, r int, kept, all []beamChild, width int) {
	t.Helper()
	rank := func(c beamChild) *big.Rat {
		if r == 0 {
			return new(big.Rat).SetInt64(c.objective)
		}
		return big.NewRat(c.paid, c.captured)
	}
	less := func(c, d beamChild) int {
		return cmp.Or(rank(c).Cmp(rank(d)), cmp.Compare(c.cost, d.cost), cmp.Compare(c.left, d.left), cmp.Compare(c.left0, d.left0))
	}
	want := slices.Clone(all)
	slices.SortStableFunc(want, less)
	want = slices.CompactFunc(want, func(c, d beamChild) bool { return less(c, d) == 0 })
	want = want[:min(width, len(want))]
	if !slices.EqualFunc(kept, want, func(c, d beamChild) bool { return less(c, d) == 0 }) {
		t.Fatalf("ranking %d kept %+v and not %+v", r, kept, want)
	}
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
