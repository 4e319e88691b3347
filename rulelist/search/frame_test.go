package search

import (
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/internal/testgen"
	"parcorels/rulelist/problem"
	"parcorels/trie"
)

// TestFrames: a prefix has the same frame, whether it is rebuilt from its node,
// from its columns alone, or made below the frame of its parent.
func TestFrames(t *testing.T) {
	compared := 0
	families(t, 20, func(in testgen.Instance) {
		s := started(t, in, Options{})
		s.build()
		s.begin()
		w := newWorker(s, 0)
		rng := rand.New(rand.NewPCG(in.Seed, 7))
		var made, loose frame
		made, loose = *newFrame(s.p), *newFrame(s.p)
		for range 10 {
			list := drawnList(s.p, rng, 5)
			below := descended(s, list)
			if loose.loadNoNode(s.p, list); !sameFrame(&loose, below) {
				t.Fatalf("columns %v: rebuilt from the columns %+v, below its parent %+v\n%v", list, loose, *below, in)
			}
			if len(list) == 0 {
				continue
			}
			compared++
			id, ok := w.makeNode(list, 0)
			if !ok || !made.load(s.p, s.arena, id) || !sameFrame(&made, below) {
				t.Fatalf("columns %v: rebuilt from its node %+v, below its parent %+v\n%v", list, made, *below, in)
			}
		}
	})
	if compared == 0 {
		t.Errorf("no prefix has rules: the test tests nothing")
	}
}

// descended makes the frame of a prefix from that of the root.
func descended(s *search, prefix []problem.Column) *frame {
	f := newFrame(s.p)
	f.load(s.p, s.arena, trie.Root)
	for _, col := range prefix {
		f.count(s.p, s.run.Running)
		a, b := f.g1[col], f.g0[col]
		c := child{col: int(col), label: a > b, cost: f.cost + s.p.Price + s.p.Unit*min(a, b)}
		below := newFrame(s.p)
		below.descend(s.p, f, &c)
		f = below
	}
	return f
}

func sameFrame(a, b *frame) bool {
	return a.depth == b.depth && a.cost == b.cost && slices.Equal(a.prefix, b.prefix) && slices.Equal(a.costs, b.costs) &&
		slices.Equal(a.labels, b.labels) && slices.EqualFunc(a.before, b.before, slices.Equal) && slices.Equal(a.u, b.u)
}
