package separation

import (
	"math/rand/v2"
	"testing"

	"parcorels/internal/testing/testgen"
)

// TestAscentNeverExceeds compares ascents of random prefixes with their best completions:
// the bound is at most what those cost and what its weights give, and no rule of theirs is
// fixed against them as the incumbent.
func TestAscentNeverExceeds(t *testing.T) {
	generators := []testgen.Generator{testgen.Small, testgen.Ties, testgen.Nearly, testgen.Knotty}
	n := runs(5000)
	var done, positive uint64
	for seed := range n {
		rng := rand.New(rand.NewPCG(seed, 7))
		x := layOut(t, generators[seed%uint64(len(generators))](seed))
		if x.in.Points > 16 || x.in.Points == 0 || x.in.Antecedents < 2 {
			continue
		}
		done++
		r := x.p.NewRoot(1<<30, 1)
		r.Solve(1<<60, Effort{Work: 1 << (8 + rng.IntN(8))})
		if rng.IntN(2) == 0 {
			x.addSome(r, rng)
		}
		left, used := append([]uint64(nil), x.p.all...), uint32(0)
		var prefix []Column
		for range rng.IntN(3) {
			a := rng.IntN(x.in.Antecedents)
			used |= 1 << a
			prefix = append(prefix, Column(a))
			for i, w := range x.in.Columns[a] {
				left[i] &^= w
			}
		}
		best := x.best(points(left), used)
		node := r.NewNode()
		live := func(_, word int) (m uint64) {
			for a := range x.in.Antecedents {
				if used>>a&1 == 0 && a/64 == word {
					m |= 1 << (a % 64)
				}
			}
			return m
		}
		node.Begin(prefix, left, liveMasks(x.p, live), 1<<60)
		if node.Value > best.value {
			t.Fatalf("seed %d: the bound is %d, the best completion costs %d\n%v", seed, node.Value, best.value, x.Instance)
		}
		if exact := x.p.Evaluate(new(Bound), &node.Context, r.Pool, node.Weights()); exact < node.Value {
			t.Fatalf("seed %d: the bound is %d, its weights give %d\n%v", seed, node.Value, exact, x.Instance)
		}
		if node.Value > 0 {
			positive++
		}
	}
	if positive < done/2 {
		t.Errorf("%d contexts, but only %d bounds are positive", done, positive)
	}
}

// addSome adds random sets to the root's pool, with weights that no LP gave them.
func (x laidOut) addSome(r *Root, rng *rand.Rand) {
	all := points(x.p.all)
	for range 20 {
		var set []Point
		var labels [2]bool
		for _, e := range all {
			if rng.IntN(3) == 0 {
				set = append(set, e)
				labels[x.p.label(e)] = true
			}
		}
		if labels[0] && labels[1] {
			if _, fresh := r.Pool.Add(set); fresh {
				r.y = append(r.y, rng.Float64()*rng.Float64())
			}
		}
	}
}
