package guess

import (
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"
)

// problem is random columns and labels that depend on them.
type problem struct {
	columns []Column
	ones    []bool
	weights []int64
}

func randomProblem(rng *rand.Rand) problem {
	n := 200 + rng.IntN(2000)
	p := problem{ones: make([]bool, n)}
	for range 1 + rng.IntN(5) {
		c := Column{Bins: make([]uint8, n), N: 2 + rng.IntN(100), Free: rng.IntN(4) == 0}
		c.Ordered = max(1, c.N-rng.IntN(3))
		for i := range c.Bins {
			c.Bins[i] = uint8(rng.IntN(c.N))
		}
		p.columns = append(p.columns, c)
	}
	a, b := p.columns[0], p.columns[len(p.columns)-1]
	for i := range p.ones {
		p.ones[i] = (int(a.Bins[i]) > a.N/3 && int(b.Bins[i]) < b.N*2/3) != (rng.IntN(8) == 0)
	}
	if rng.IntN(2) == 0 {
		p.weights = make([]int64, n)
		for i := range p.weights {
			p.weights[i] = 1 + rng.Int64N(1<<(1+rng.IntN(40)))
		}
	}
	return p
}

// TestCuts checks what is promised of random problems: within the budget, in
// order, in range, none of a free column, and the same whatever the number of
// processors and the order of the samples.
func TestCuts(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 1))
		p := randomProblem(rng)
		budget := 1 + rng.IntN(20)
		got := Cuts(p.columns, p.ones, p.weights, budget)
		total := 0
		for c, bins := range got {
			total += len(bins)
			if !slices.IsSorted(bins) || p.columns[c].Free && len(bins) > 0 {
				t.Fatalf("seed %d: cuts %v of column %d, free: %v", seed, bins, c, p.columns[c].Free)
			}
			for _, b := range bins {
				if b < 0 || b >= p.columns[c].Ordered-1 {
					t.Fatalf("seed %d: a cut behind bin %d of %d", seed, b, p.columns[c].Ordered)
				}
			}
		}
		if total > budget || len(got) != len(p.columns) {
			t.Fatalf("seed %d: %d cuts, budget %d", seed, total, budget)
		}
		before := runtime.GOMAXPROCS(1 + int(seed%5))
		s := p.shuffled(rng)
		again := Cuts(s.columns, s.ones, s.weights, budget)
		runtime.GOMAXPROCS(before)
		if !reflect.DeepEqual(got, again) {
			t.Fatalf("seed %d: cuts %v, of the samples in another order %v", seed, got, again)
		}
	}
}

// shuffled returns the problem with its samples in another order.
func (p problem) shuffled(rng *rand.Rand) problem {
	order := rng.Perm(len(p.ones))
	q := problem{ones: make([]bool, len(order))}
	for _, c := range p.columns {
		d := c
		d.Bins = make([]uint8, len(order))
		for i, k := range order {
			d.Bins[i] = c.Bins[k]
		}
		q.columns = append(q.columns, d)
	}
	if p.weights != nil {
		q.weights = make([]int64, len(order))
	}
	for i, k := range order {
		q.ones[i] = p.ones[k]
		if p.weights != nil {
			q.weights[i] = p.weights[k]
		}
	}
	return q
}

// TestTheCutsThatMatter: labels that follow two cuts, noise aside, get these.
func TestTheCutsThatMatter(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const n = 4000
	columns := make([]Column, 6)
	for c := range columns {
		columns[c] = Column{Bins: make([]uint8, n), N: 60, Ordered: 60}
		for i := range n {
			columns[c].Bins[i] = uint8(rng.IntN(60))
		}
	}
	ones := make([]bool, n)
	for i := range ones {
		ones[i] = (columns[1].Bins[i] > 17 && columns[4].Bins[i] <= 41) != (rng.IntN(10) == 0)
	}
	got := Cuts(columns, ones, nil, 4)
	if !slices.Contains(got[1], 17) || !slices.Contains(got[4], 41) {
		t.Errorf("cuts %v, want 17 of column 1 and 41 of column 4 among them", got)
	}
	for _, c := range []int{0, 2, 3, 5} {
		if len(got[c]) > 0 {
			t.Errorf("cuts %v of column %d, which is noise", got[c], c)
		}
	}
}

// TestSeed compares the cut that errs least with trying all.
func TestSeed(t *testing.T) {
	for seed := range uint64(200) {
		p := randomProblem(rand.New(rand.NewPCG(seed, 3)))
		e := newEnsemble(p.columns, p.ones, p.weights)
		for c, column := range p.columns {
			got := e.seedOf(c)
			var best int64
			for cut := range column.Ordered - 1 {
				for _, missingBelow := range []bool{false, true} {
					best = max(best, e.spared(column, cut, missingBelow))
				}
			}
			if int64(got.gain) != best {
				t.Fatalf("seed %d, column %d: the seed spares %v, the best %d", seed, c, got.gain, best)
			}
		}
	}
}

// spared is what weight of errors a cut spares, by the definition.
func (e *ensemble) spared(column Column, cut int, missingBelow bool) int64 {
	var sides [2][2]int64
	for i, b := range column.Bins {
		side, class := 0, 0
		if int(b) <= cut || int(b) >= column.Ordered && missingBelow {
			side = 1
		}
		if e.ones[i] {
			class = 1
		}
		sides[side][class] += e.weight(i)
	}
	if min(sides[0][0]+sides[0][1], sides[1][0]+sides[1][1])*leafShare < e.total {
		return 0
	}
	return min(sides[0][0]+sides[1][0], sides[0][1]+sides[1][1]) - min(sides[0][0], sides[0][1]) - min(sides[1][0], sides[1][1])
}
