package separation

import (
	"math/rand/v2"
	"testing"

	"parcorels/internal/testing/testgen"
)

// TestChildNeverExceeds compares the bounds of children by the weights of random
// prefixes with the children's best completions.
func TestChildNeverExceeds(t *testing.T) {
	const room = int64(1) << 60 // fixes nothing
	positive, n := 0, runs(4000)
	generators := []testgen.Generator{testgen.Small, testgen.Ties, testgen.Nearly, testgen.Knotty}
	for seed := range n {
		rng := rand.New(rand.NewPCG(seed, 6))
		x := layOut(t, generators[seed%uint64(len(generators))](seed))
		if x.in.Points > 16 || x.in.Points == 0 || x.in.Antecedents < 2 {
			continue
		}
		r := x.p.NewRoot(1<<30, 1)
		r.Solve(room, Effort{Work: 1 << 15})
		node := r.NewNode()
		c := &Context{Left: x.p.all}
		var used uint32
		var prefix []Column
		if rng.IntN(2) == 0 {
			a := rng.IntN(x.in.Antecedents)
			used = 1 << a
			prefix = []Column{Column(a)}
			next := &Context{}
			next.Behind(c, x.in.Columns[a])
			c = next
		}
		node.Begin(prefix, c.Left, liveMasks(x.p, func(int, int) uint64 { return ^uint64(0) }), room)
		node.Children()
		for b, column := range x.in.Columns {
			if used>>b&1 == 1 || !node.IsLive(b, 0) && !node.IsLive(b, 1) {
				continue // no completion is made by it
			}
			child := &Context{}
			child.Behind(c, column)
			best := x.best(points(child.Left), used|1<<b)
			value := node.Child(b)
			if value > best.value {
				t.Fatalf("seed %d: behind antecedent %d the bound is %d, the best completion costs %d\n%v", seed, b, value, best.value,
					x.Instance)
			}
			if value > 0 {
				positive++
			}
		}
	}
	if uint64(positive) < n/4 {
		t.Errorf("only %d bounds of children are positive, in %d instances", positive, n)
	}
}
