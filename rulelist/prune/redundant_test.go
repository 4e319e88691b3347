package prune

import (
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/bitvec"
	"parcorels/internal/testing/must"
	"parcorels/internal/testing/testgen"
	"parcorels/rulelist/problem"
)

// TestRedundant compares with the definition: a rule is redundant if the other
// rules with the labels that they have, and with the cost of what they then
// leave over, cost no more than the prefix.
func TestRedundant(t *testing.T) {
	found, needed := 0, 0
	testgen.Each(40, func(in testgen.Instance) {
		p := laidOut(t, in)
		if len(p.Antecedents) < 2 {
			return
		}
		rng := rand.New(rand.NewPCG(in.Seed, 2))
		for range 20 {
			f := NewFrame(p)
			f.LoadColumns(p, drawn(p, rng, 6))
			want := false
			for i := range max(f.Depth-1, 0) {
				worthless := worthless(p, f, i)
				if worthless && !beatenAt(p, f, i) {
					t.Fatalf("columns %v: without rule %d it is not smaller\n%v", f.Prefix, i, in)
				}
				want = want || worthless
			}
			if got := newRedundancy(&Context{P: p}).(*redundancy).closesSet(f); got != want {
				t.Fatalf("columns %v: redundant %v, by the definition %v\n%v", f.Prefix, got, want, in)
			}
			if want {
				found++
			} else if f.Depth >= 2 {
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
func worthless(p *problem.Problem, f *Frame, i int) bool {
	cost := p.RootCost() + p.Price*int64(f.Depth-1)
	for point, c := range p.In.Costs {
		has := func(col problem.Column) bool { return p.Columns[col][point/64]>>(point%64)&1 == 1 }
		if !slices.ContainsFunc(f.Prefix, has) {
			continue
		}
		class := int(p.ByWord[point/64])
		wrong := true // if nothing captures it any more
		for j, col := range f.Prefix {
			if j != i && has(col) {
				label, _, _ := p.Rule(f.Before[j], p.Antecedents[col])
				wrong = label != class
				break
			}
		}
		if wrong {
			cost += p.Unit * c
		}
	}
	return cost <= f.Cost
}

// beaten decides whether f's prefix without rule i, and with the cost of what
// it then leaves over, costs no more than f's.
func beatenAt(p *problem.Problem, f *Frame, i int) bool {
	without := NewFrame(p)
	without.LoadColumns(p, slices.Delete(slices.Clone(f.Prefix), i, i+1))
	over := make([]uint64, p.Words)
	bitvec.AndNot(over, without.U, f.U)
	g1, g0 := p.Planes.Cost(over)
	return without.Cost+p.Unit*(g1+g0) <= f.Cost
}

// laidOut returns the problem of an instance with its columns.
func laidOut(t *testing.T, in testgen.Instance) *problem.Problem {
	t.Helper()
	p := must.Get(problem.New(testgen.Reduced(t, in.Set()), problem.Settings{Lambda: in.Lambda}))(t)
	p.Choose(func() bool { return true })
	return p
}

// drawn draws at most so many distinct columns.
func drawn(p *problem.Problem, rng *rand.Rand, most int) []problem.Column {
	var list []problem.Column
	for _, col := range rng.Perm(len(p.Antecedents))[:rng.IntN(min(most, len(p.Antecedents))+1)] {
		list = append(list, problem.Column(col))
	}
	return list
}
