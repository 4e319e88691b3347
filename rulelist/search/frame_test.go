package search

import (
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/internal/testing/testgen"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/prune"
	"parcorels/trie"
)

// TestFrames: a prefix has the same frame, whether it is rebuilt from its node,
// from its columns alone, or made below the frame of its parent.
func TestFrames(t *testing.T) {
	compared := 0
	testgen.Each(20, func(in testgen.Instance) {
		s := started(t, in, Options{})
		s.build()
		s.begin()
		w := newWorker(s, 0)
		rng := rand.New(rand.NewPCG(in.Seed, 7))
		var made, loose prune.Frame
		made, loose = *prune.NewFrame(s.p), *prune.NewFrame(s.p)
		for range 10 {
			var list []problem.Column
			for _, col := range rng.Perm(len(s.p.Antecedents))[:rng.IntN(min(5, len(s.p.Antecedents))+1)] {
				list = append(list, problem.Column(col))
			}
			below := descended(s, list)
			if loose.LoadColumns(s.p, list); !sameFrame(&loose, below) {
				t.Fatalf("columns %v: rebuilt from the columns %+v, below its parent %+v\n%v", list, loose, *below, in)
			}
			if len(list) == 0 {
				continue
			}
			compared++
			id, ok := w.makeNode(list, 0)
			if !ok || !made.Load(s.p, s.arena, id) || !sameFrame(&made, below) {
				t.Fatalf("columns %v: rebuilt from its node %+v, below its parent %+v\n%v", list, made, *below, in)
			}
		}
	})
	if compared == 0 {
		t.Errorf("no prefix has rules: the test tests nothing")
	}
}

// descended makes the frame of a prefix from that of the root.
func descended(s *search, prefix []problem.Column) *prune.Frame {
	f := prune.NewFrame(s.p)
	f.Load(s.p, s.arena, trie.Root)
	for _, col := range prefix {
		f.Count(s.p, s.run.Running)
		x := f.Counts.Column(int(col))
		c := prune.Child{Col: int(col), Label: x.Label, Cost: f.Cost + s.p.Price + s.p.Unit*x.Errors}
		below := prune.NewFrame(s.p)
		below.Descend(s.p, f, &c)
		f = below
	}
	return f
}

func sameFrame(a, b *prune.Frame) bool {
	return a.Depth == b.Depth && a.Cost == b.Cost && slices.Equal(a.Prefix, b.Prefix) && slices.Equal(a.Costs, b.Costs) &&
		slices.Equal(a.Labels, b.Labels) && slices.EqualFunc(a.Before, b.Before, slices.Equal) && slices.Equal(a.U, b.U)
}
