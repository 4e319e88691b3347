package numeric

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/tree/price"
)

// TestManyColumns: so many columns that a row of 16 bits leaves few bins to each. One column counts
// many times over.
func TestManyColumns(t *testing.T) {
	for seed, columns := range []int{17, 700, 2500} {
		rng := rand.New(rand.NewPCG(uint64(seed), 92))
		p := random(rng)
		for len(p.class) < 30 {
			p = random(rng)
		}
		p.depth = 2
		few := len(p.ranks)
		want := p.solve(t, t.Context(), Options{Workers: 1})
		for len(p.ranks) < columns {
			p.ranks = append(p.ranks, p.ranks[rng.IntN(few)])
		}
		got := p.solve(t, t.Context(), Options{Workers: 2})
		if fmt.Sprint(got.Tree) != fmt.Sprint(want.Tree) || got.LowerBound != want.LowerBound {
			t.Fatalf("%d columns: %v, want %v", columns, got.Tree, want.Tree)
		}
		p.ranks = append(p.ranks, make([][]int32, MostColumns+1-len(p.ranks))...)
		if _, err := NewTable(p.ranks, p.class, p.classes, p.weights); err == nil {
			t.Fatalf("%d columns are no error", len(p.ranks))
		}
	}
}

// halting ends the run when items were counted so often, and counts on.
type halting struct {
	histograms
	run     *parallel.Run
	after   int
	counted int
}

func (h *halting) count(list []entry, sign int) {
	if h.counted++; h.counted == h.after {
		h.run.Halt(parallel.NodeLimit)
	}
	h.histograms.count(list, sign)
}

// TestSweepEnds: a sweep looks at no more places than a few once the run has ended.
func TestSweepEnds(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 93))
	p := &problem{classes: 2, lambda: ratio.New(0, 1), ranks: make([][]int32, 2)}
	for i := range 20_000 { // nothing to learn: every place is open
		p.ranks[0], p.ranks[1] = append(p.ranks[0], int32(i)), append(p.ranks[1], rng.Int32N(1000))
		p.class = append(p.class, uint16(rng.IntN(2)))
	}
	looks := func(after int) int {
		w := p.alone(t)
		w.two.maxCells = 1
		w.two.begin(&w.root)
		h := &halting{w.two.histograms, w.run, after, 0}
		w.two.histograms = h
		w.two.budget = price.Far
		w.two.sweep(w.two.used[0], nil)
		return h.counted
	}
	all := looks(-1)
	if few := looks(all / 2); all < 300 || few > all/2+2 {
		t.Fatalf("%d places are looked at, %d when the run ends after half of them", all, few)
	}
}
