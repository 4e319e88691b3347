package search

import (
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/bitvec"
	"parcorels/internal/testgen"
	"parcorels/rulelist/problem"
)

// TestRedundant compares with the definition: a rule is redundant if the other
// rules with the labels that they have, and with the cost of what they then
// leave over, cost no more than the prefix.
func TestRedundant(t *testing.T) {
	found, needed := 0, 0
	families(t, 40, func(in testgen.Instance) {
		s := started(t, in, Options{})
		if len(s.p.Antecedents) < 2 {
			return
		}
		s.build()
		w := newWorker(s, 0)
		rng := rand.New(rand.NewPCG(in.Seed, 2))
		for range 20 {
			f := newFrame(s.p)
			f.loadNoNode(s.p, drawnList(s.p, rng, 6))
			want := false
			for i := range max(f.depth-1, 0) {
				worthless := worthless(s.p, f, i)
				if worthless && !beatenAt(s.p, f, i) {
					t.Fatalf("columns %v: without rule %d it is not smaller\n%v", f.prefix, i, in)
				}
				want = want || worthless
			}
			if got := w.redundant.in(f); got != want {
				t.Fatalf("columns %v: redundant %v, by the definition %v\n%v", f.prefix, got, want, in)
			}
			if want {
				found++
			} else if f.depth >= 2 {
				needed++
			}
		}
	})
	if found == 0 || needed == 0 {
		t.Errorf("%d prefixes with a redundant rule, %d without: the test tests nothing", found, needed)
	}
}

// worthless decides by the definition whether rule i of f's prefix is redundant,
// point by point.
func worthless(p *problem.Problem, f *frame, i int) bool {
	cost := p.RootCost() + p.Price*int64(f.depth-1)
	for point, c := range p.In.Costs {
		has := func(col problem.Column) bool { return p.Columns[col][point/64]>>(point%64)&1 == 1 }
		if !slices.ContainsFunc(f.prefix, has) {
			continue
		}
		class := point/64 < p.In.Words1
		wrong := true // if nothing captures it any more
		for j, col := range f.prefix {
			if j != i && has(col) {
				wrong = f.labels[j] != class
				break
			}
		}
		if wrong {
			cost += p.Unit * c
		}
	}
	return cost <= f.cost
}

// beaten decides whether f's prefix without rule i, and with the cost of what
// it then leaves over, costs no more than f's.
func beatenAt(p *problem.Problem, f *frame, i int) bool {
	without := newFrame(p)
	without.loadNoNode(p, slices.Delete(slices.Clone(f.prefix), i, i+1))
	over := make([]uint64, p.Words)
	bitvec.AndNot(over, without.u, f.u)
	g1, g0 := p.Planes.Cost(over)
	return without.cost+p.Unit*(g1+g0) <= f.cost
}
