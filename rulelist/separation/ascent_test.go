package separation

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"parcorels/internal/testgen"
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
		node.Begin(prefix, left, live, 1<<60)
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

// TestCounters compares the counters of an ascent with plain ones.
func TestCounters(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 8))
	for range 200 {
		price := int32(1 + rng.IntN(100))
		depth := bits.Len32(uint32(price))
		a := &ascent{plan: &plan{p: &Problem{width: 1}, depth: depth, start: 1<<depth - uint(price)}}
		for rule := range int32(128) { // those of label 0 first
			a.rules = append(a.rules, rule%64*2+rule/64)
		}
		a.live, a.full = []uint64{rng.Uint64(), rng.Uint64()}, make([]uint64, 2)
		a.held, a.top, a.loads = make([]uint64, 2), make([]uint64, 2), make([]uint64, 2*depth)
		c := &Context{Live: [][]uint64{{a.live[0]}, {a.live[1]}}}
		a.begin(c, nil)
		var load [128]int32
		for range 30 {
			pure := []uint64{rng.Uint64() & rng.Uint64(), rng.Uint64() & rng.Uint64()}
			most := int32(1 + rng.IntN(10))
			want := most
			for i := range load {
				if pure[i/64]&a.live[i/64]>>(i%64)&1 == 1 {
					want = min(want, price-load[i])
				}
			}
			if full := pure[0]&a.full[0]|pure[1]&a.full[1] != 0; full != (want == 0) {
				t.Fatalf("a rule is full: %v, where %d quanta may be added", full, want)
			} else if full {
				continue
			}
			if got := a.addLoad(pure, most); got != want {
				t.Fatalf("%d quanta are added, not %d", got, want)
			}
			for i := range load {
				if pure[i/64]&a.live[i/64]>>(i%64)&1 == 1 {
					load[i] += want
				}
			}
		}
		for i, want := range load {
			got := -int32(a.start)
			for b := range depth {
				got += int32(a.loads[i/64*depth+b]>>(i%64)&1) << b
			}
			if a.full[i/64]>>(i%64)&1 == 1 {
				got += 1 << depth // the counter has overflowed
			}
			if a.live[i/64]>>(i%64)&1 == 1 && got != want {
				t.Fatalf("a rule of price %d bears %d, and not %d", price, got, want)
			}
		}
	}
}
