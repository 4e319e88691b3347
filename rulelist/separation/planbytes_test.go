package separation

import (
	"math/rand/v2"
	"testing"

	"parcorels/internal/testing/oracle"
	"parcorels/internal/testing/testgen"
	"parcorels/ratio"
)

// TestPlanBytes holds what the budget is told of the ascents' tables against what they take.
func TestPlanBytes(t *testing.T) {
	for _, size := range []struct{ samples, columns int }{{60, 20}, {300, 90}, {200, 700}} {
		r := randomRoot(t, size.samples, size.columns)
		r.Solve(r.P.Value(1<<40, 0), Effort{Work: 1 << 22})
		told := r.PlanBytes()
		a := r.newPlan()
		takes := int64(4*(len(a.cost)+len(a.sets)+len(a.first)+len(a.begun)+len(a.from)+len(a.point)+2*len(a.ends)) +
			8*(len(a.pure)+len(a.columnsOf)+len(a.setsOf)+len(a.setsPure)))
		if told < takes*9/10 || told > takes*2 {
			t.Errorf("%v: the tables take %d bytes, the budget is told %d", size, takes, told)
		}
		n := newAscent(a)
		n.begin(r.Context, nil)
		takes = int64(4*(len(n.spare)+len(n.y)) + 8*(len(n.live)+len(n.full)+n.loads.Words()+len(n.open)+n.touch.Words()))
		const small = 1 << 14 // masks of columns, which are few
		if told := r.NodeBytes(); told < takes*9/10-small || told > takes*4+small {
			t.Errorf("%v: an ascent takes %d bytes, the budget is told %d", size, takes, told)
		}
	}
}

// randomRoot is the root of a random problem.
func randomRoot(t *testing.T, samples, columns int) *Root {
	t.Helper()
	rng := rand.New(rand.NewPCG(uint64(samples), uint64(columns)))
	p := oracle.Problem{Labels: testgen.Random(rng, samples, 1./3), Lambda: ratio.New(1, 50)}
	for range columns {
		p.Columns = append(p.Columns, testgen.Random(rng, samples, 1./3))
	}
	return layOut(t, testgen.Instance{Problem: p}).p.NewRoot(1<<30, 1)
}
