package numeric

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"parcorels/bitvec"
	"parcorels/internal/testing/cases"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/tree/price"
)

// TestWeightsAtLimits compares with trying all trees where the weights of all items are just what
// numbers of 16 or 32 bits hold, or one more.
func TestWeightsAtLimits(t *testing.T) {
	for seed := range uint64(cases.Some(600)) {
		rng := rand.New(rand.NewPCG(seed, 91))
		p := random(rng)
		for i := range p.ranks[0] { // no two samples are one point
			p.ranks[0][i] = int32(i)
		}
		rng.Shuffle(len(p.class), func(i, j int) { p.ranks[0][i], p.ranks[0][j] = p.ranks[0][j], p.ranks[0][i] })
		limit := []int64{bitvec.BinMost16, bitvec.BinMost32}[rng.IntN(2)] + rng.Int64N(2)
		p.weights = make([]int64, len(p.class))
		rest := limit
		for i := range p.weights {
			p.weights[i] = 1
			if rng.IntN(2) == 0 {
				p.weights[i] += rng.Int64N(limit / int64(2*len(p.class)))
			}
			rest -= p.weights[i]
		}
		p.weights[rng.IntN(len(p.weights))] += rest
		table, err := NewTable(p.ranks, p.class, p.classes, p.weights)
		if err != nil || table.sum != limit {
			t.Fatalf("seed %d: %v, a sum of %d", seed, err, table.sum)
		}
		p.compare(t, seed, Options{Workers: 1 + rng.IntN(2), maxBins: []int{0, 2, 4}[rng.IntN(3)], maxCells: []int{0, 1, 5}[rng.IntN(3)],
			closeUps: rng.IntN(2) == 0})
	}
}

// TestHeavyClass compares with trying all trees where one class weighs far more than the others, and λ has
// many digits. The weight between two places times the unit is more than all errors cost then.
func TestHeavyClass(t *testing.T) {
	solved, refused := 0, 0
	for seed := range uint64(cases.Some(1000)) {
		rng := rand.New(rand.NewPCG(seed, 94))
		p := random(rng)
		heavy, light := int64(1)<<(20+rng.IntN(18)), int64(1)<<(1+rng.IntN(24))
		p.weights = nil
		for _, c := range p.class {
			most := light
			if c == 0 {
				most = heavy
			}
			p.weights = append(p.weights, 1+rng.Int64N(most))
		}
		p.lambda = ratio.New(1, 10_000*(1+rng.Int64N(1000)))
		table, err := NewTable(p.ranks, p.class, p.classes, p.weights)
		if err != nil {
			t.Fatal(err)
		}
		var scale *price.ErrScale
		if _, err = Solve(t.Context(), table, Options{Lambda: p.lambda, Depth: p.depth, Nodes: 1}); errors.As(err, &scale) {
			refused++
			continue
		}
		solved++
		p.compare(t, seed, Options{Workers: 1 + rng.IntN(2), closeUps: rng.IntN(2) == 0})
	}
	if solved < 20 || refused < 10 {
		t.Errorf("%d are solved, %d are refused", solved, refused)
	}
}

// compare solves a problem and tries all trees.
func (p *problem) compare(t *testing.T, seed uint64, o Options) {
	t.Helper()
	r := p.solve(t, t.Context(), o)
	want := p.best(triedSet{^uint64(0) >> (64 - len(p.class)), p.depth}, map[triedSet]tried{})
	if err := same(r.Tree, want); err != nil || r.Status != parallel.Optimal || r.Objective != want.objective ||
		r.LowerBound != want.objective {
		t.Fatalf("seed %d (%d samples, depth %d, λ %v): %v, %v, objective %d, want %d", seed, len(p.class), p.depth, p.lambda, err,
			r.Status, r.Objective, want.objective)
	}
}

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
