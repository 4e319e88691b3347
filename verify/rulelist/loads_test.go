package rulelist

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestLoads compares the sum and the loads of a bound with their definition: over the sets
// of which a prefix captures no group, and the usable rules that are pure on them.
func TestLoads(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	const n, antecedents = 9, 7
	var whole, broken int
	for range 2000 {
		k := 2 + rng.IntN(3)
		x := &problem{groups: &groups{classes: k, numbers: 1, losses: make([][]amount, n), captured: make([][]uint64, antecedents)},
			width: 1}
		for range n {
			x.labels, x.satisfies = append(x.labels, rng.IntN(k)), append(x.satisfies, rng.Uint64N(1<<antecedents))
		}
		tr := &tree{}
		var link []weighed
		for i := range 1 + rng.IntN(5) {
			members := rng.Perm(n)[:2+rng.IntN(3)]
			slices.Sort(members)
			var set []uint32
			for _, g := range members {
				set = append(set, uint32(g))
			}
			tr.sets = append(tr.sets, set)
			link = append(link, weighed{uint32(i), 1 + rng.Int64N(50)})
		}
		f := &frame{prefixState: prefixState{left: []uint64{rng.Uint64() | rng.Uint64()}}}
		for range k {
			f.usable = append(f.usable, []uint64{rng.Uint64() | rng.Uint64()})
		}
		var sum int64
		group, loads := make([]int64, n), make([][antecedents]int64, k)
		for _, w := range link {
			set := tr.sets[w.set]
			if slices.ContainsFunc(set, func(g uint32) bool { return f.left[0]>>g&1 == 0 }) {
				broken++
				continue
			}
			whole++
			sum += w.weight
			for a := range antecedents {
				labels := map[int]bool{}
				for _, g := range set {
					if x.satisfies[g]>>a&1 == 1 {
						labels[x.labels[g]] = true
					}
				}
				for q := range labels {
					if len(labels) == 1 && f.usable[q][0]>>a&1 == 1 {
						loads[q][a] += w.weight
					}
				}
			}
			for _, g := range set {
				group[g] += w.weight
			}
		}
		e := newEvaluator(x, tr)
		e.load(f, []weighed{{0, 1}}) // leaves nothing behind
		if got := e.load(f, link); got != sum || !slices.Equal(e.group, group) {
			t.Fatalf("sum %d, loads of groups %v; by definition %d, %v", got, e.group, sum, group)
		}
		for q := range k {
			if !slices.Equal(e.rules[q], loads[q][:]) {
				t.Fatalf("loads of rules of class %d: %v, by definition %v", q, e.rules[q], loads[q])
			}
		}
	}
	if whole < 1000 || broken < 1000 {
		t.Errorf("%d sets are whole, %d are not", whole, broken)
	}
}
