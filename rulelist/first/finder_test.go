package first

import (
	"context"
	"testing"

	"parcorels/bitvec"
	"parcorels/internal/testing/must"
	"parcorels/internal/testing/testgen"
	"parcorels/ratio"
	"parcorels/rulelist/problem"
	"parcorels/rules"
)

// laidOut returns an instance as a search works on it.
func laidOut(t *testing.T, in testgen.Instance) *problem.Problem {
	t.Helper()
	return chosen(t, in.Set(), in.Lambda)
}

func chosen(t *testing.T, set *rules.Set, lambda ratio.Ratio) *problem.Problem {
	t.Helper()
	p := must.Get(problem.New(testgen.Reduced(t, set), problem.Settings{Lambda: lambda}))(t)
	p.Choose(func() bool { return true })
	return p
}

// holder keeps the best list that a finder offers.
type holder struct{ best *problem.Solution }

func (h *holder) offer(s *problem.Solution) bool {
	better := s.Better(h.best)
	if better {
		h.best = s
	}
	return better
}

// finding returns a finder, and who keeps what it finds.
func finding(p *problem.Problem, memory int64) (*Finder, *holder) {
	h := &holder{&problem.Solution{Objective: p.EmptyObjective()}}
	same := func(ahead, _ float64) float64 { return ahead }
	return New(p, Options{Memory: memory, Best: func() *problem.Solution { return h.best }, Offer: h.offer, AtMost: same}), h
}

// isValued checks that a list has the objective that the definition gives it.
func isValued(t *testing.T, in testgen.Instance, best *problem.Solution) {
	t.Helper()
	var list []int
	for _, a := range best.List {
		list = append(list, int(a))
	}
	if want, err := in.Evaluate(list); err != nil || want.Objective != best.Objective {
		t.Fatalf("list %v with objective %d has %d (%v)\n%v", best.List, best.Objective, want.Objective, err, in)
	}
}

// TestStopsAnywhere gives the finder any amount of work.
func TestStopsAnywhere(t *testing.T) {
	testgen.Each(10, func(in testgen.Instance) {
		for limit := int64(1); limit < 1<<20; limit += limit/2 + 1 {
			p := laidOut(t, in)
			if len(p.Antecedents) == 0 {
				return
			}
			f, h := finding(p, 0)
			f.work.limit = limit
			f.widen()
			for !f.work.over() {
				f.round()
			}
			isValued(t, in, h.best)
		}
	})
}

// TestLittleMemory: buffers shrink with the memory limit, down to nothing.
func TestLittleMemory(t *testing.T) {
	testgen.Each(20, func(in testgen.Instance) {
		for _, memory := range []int64{1, 1 << 10, 1 << 12, 1 << 16} {
			p := laidOut(t, in)
			if len(p.Antecedents) == 0 {
				continue
			}
			f, h := finding(p, memory)
			f.widen()
			f.budget()
			for !f.work.over() {
				f.round()
			}
			isValued(t, in, h.best)
			set := int64(p.Words*8 + 1)
			sets := int64(len(f.beam.level)+len(f.beam.below)+len(f.local.points.parts)-mostKicks) * set
			if most := memory/memoryShare + 8*set; sets > most {
				t.Fatalf("%d bytes of sets with %d bytes of memory\n%v", sets, memory, in)
			}
		}
	})
}

// TestEndsAtOnce: nothing is counted once the work is to end.
func TestEndsAtOnce(t *testing.T) {
	p := chosen(t, testgen.Large(), ratio.New(1, 100000))
	ctx, end := context.WithCancel(t.Context())
	end()
	f, h := finding(p, 0)
	f.Until(ctx)
	f.widen()
	f.repeat()
	f.effort.ahead(h.best.Objective)
	f.round()
	splits := int64(8 * (1 + p.Planes.PlaneWords()/bitvec.Lanes)) // splitting by a list is not counting
	if f.work.spent > splits {
		t.Errorf("%d steps of work, want at most %d", f.work.spent, splits)
	}
	if len(h.best.List) > 0 {
		t.Errorf("the incumbent %v was found without counting", h.best)
	}
}
