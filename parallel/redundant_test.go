package parallel

import (
	"math/rand/v2"
	"testing"

	"parcorels/bitvec"
	"parcorels/internal/testgen"
)

// TestRedundant compares with the definition: a rule is redundant if the prefix
// without it, and with the cost of what it then leaves over, costs no more.
func TestRedundant(t *testing.T) {
	found, needed := 0, 0
	families(t, 40, func(in testgen.Instance) {
		s := started(t, in, Options{})
		if len(s.p.names) < 2 {
			return
		}
		s.build()
		w := newWorker(s, 0)
		rng := rand.New(rand.NewPCG(in.Seed, 2))
		for range 20 {
			f := newFrame(s.p)
			s.p.grow(f, s.p.randomList(rng, 6))
			want := false
			for i := range max(f.depth-1, 0) {
				want = want || s.p.worthless(f, i)
			}
			if got := w.redundant(f); got != want {
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

// grow makes f the frame of a prefix.
func (p *problem) grow(f *frame, prefix []uint16) {
	f.depth, f.cost = 0, p.rootCost()
	copy(f.u, p.all)
	f.costs = append(f.costs[:0], f.cost)
	for _, col := range prefix {
		up := *f
		up.u = append([]uint64(nil), f.u...)
		f.descend(p, &up, &child{col: int(col), cost: f.cost + p.price + p.unit*min(p.planes.CostAnd(f.u, p.columns[col]))})
	}
}

// worthless decides by the definition whether rule i of f's prefix is redundant.
func (p *problem) worthless(f *frame, i int) bool {
	without := newFrame(p)
	var prefix []uint16
	prefix = append(append(prefix, f.prefix[:i]...), f.prefix[i+1:]...)
	p.grow(without, prefix)
	over := make([]uint64, p.words)
	bitvec.AndNot(over, without.u, f.u)
	g1, g0 := p.planes.Cost(over)
	return without.cost+p.unit*(g1+g0) <= f.cost
}
