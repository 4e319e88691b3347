package cuts

import (
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"
)

// problem is random columns and labels that depend on them.
type problem struct {
	columns []binned
	classes []uint8
	k       int
	weights []int64
}

func randomProblem(rng *rand.Rand) problem {
	n := 200 + rng.IntN(2000)
	p := problem{classes: make([]uint8, n), k: 2 + max(0, rng.IntN(6)-3)}
	for range 1 + rng.IntN(5) {
		c := binned{Bins: make([]uint8, n), N: 2 + rng.IntN(100), Free: rng.IntN(4) == 0}
		c.Ordered = max(1, c.N-rng.IntN(3))
		for i := range c.Bins {
			c.Bins[i] = uint8(rng.IntN(c.N))
		}
		p.columns = append(p.columns, c)
	}
	a, b := p.columns[0], p.columns[len(p.columns)-1]
	for i := range p.classes {
		if (int(a.Bins[i]) > a.N/3 && int(b.Bins[i]) < b.N*2/3) != (rng.IntN(8) == 0) {
			p.classes[i] = uint8(1 + int(b.Bins[i])%(p.k-1))
		}
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
// processors, the order of the samples and the numbers of the classes.
func TestCuts(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 1))
		p := randomProblem(rng)
		budget := 1 + rng.IntN(20)
		all := rng.IntN(4) == 0
		got := cutsOf(slices.Clone(p.columns), p.classes, p.k, p.weights, budget, all)
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
		if total > budget && !all || total > max(budget, len(p.columns)+budget/2) || len(got) != len(p.columns) {
			t.Fatalf("seed %d: %d cuts, budget %d", seed, total, budget)
		}
		before := runtime.GOMAXPROCS(1 + int(seed%5))
		s := p.shuffled(rng)
		again := cutsOf(s.columns, s.classes, s.k, s.weights, budget, all)
		runtime.GOMAXPROCS(before)
		if !reflect.DeepEqual(got, again) {
			t.Fatalf("seed %d: cuts %v, of the samples in another order %v", seed, got, again)
		}
		names := rng.Perm(p.k)
		for i, c := range p.classes {
			p.classes[i] = uint8(names[c])
		}
		if again := cutsOf(slices.Clone(p.columns), p.classes, p.k, p.weights, budget, all); !reflect.DeepEqual(got, again) {
			t.Fatalf("seed %d: cuts %v, with classes %v %v", seed, got, names, again)
		}
	}
}

// shuffled returns the problem with its samples in another order.
func (p problem) shuffled(rng *rand.Rand) problem {
	order := rng.Perm(len(p.classes))
	q := problem{classes: make([]uint8, len(order)), k: p.k}
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
		q.classes[i] = p.classes[k]
		if p.weights != nil {
			q.weights[i] = p.weights[k]
		}
	}
	return q
}

// TestTheCutsThatMatter: labels that follow two cuts, noise aside, get these, also of a class of one in twenty.
func TestTheCutsThatMatter(t *testing.T) {
	for _, c := range []struct {
		columns, bins, budget int
		is                    func(a, b uint8, r int) bool // of the class, by columns 1 and 0, and a number below 10
		a, b                  int
	}{
		{6, 60, 4, func(a, b uint8, r int) bool { return (a > 17 && b <= 41) != (r == 0) }, 17, 41},
		{2, 100, 8, func(a, b uint8, r int) bool { return a > 80 && b > 75 && r > 0 }, 80, 75},
	} {
		rng := rand.New(rand.NewPCG(1, 2))
		columns, classes := make([]binned, c.columns), make([]uint8, 4000)
		for k := range columns {
			columns[k] = binned{Bins: make([]uint8, len(classes)), N: c.bins, Ordered: c.bins}
			for i := range classes {
				columns[k].Bins[i] = uint8(rng.IntN(c.bins))
			}
		}
		for i := range classes {
			if c.is(columns[1].Bins[i], columns[0].Bins[i], rng.IntN(10)) {
				classes[i] = 1
			}
		}
		got, noise := cutsOf(slices.Clone(columns), classes, 2, nil, c.budget, false), 0
		for _, cuts := range got[2:] {
			noise += len(cuts)
		}
		if !slices.Contains(got[1], c.a) || !slices.Contains(got[0], c.b) || noise > 1 {
			t.Errorf("cuts %v, want %d of column 1 and %d of column 0 among them, and one of noise at most", got, c.a, c.b)
		}
	}
}

// TestSeed compares the cuts that err least and tell most with trying all.
func TestSeed(t *testing.T) {
	kept := 0
	for seed := range uint64(200) {
		p := randomProblem(rand.New(rand.NewPCG(seed, 3)))
		e := newEnsemble(slices.Clone(p.columns), p.classes, p.k, p.weights, nil)
		for c, column := range p.columns {
			got := e.seedOf(c)
			var errs, tells float64
			for cut := range column.Ordered - 1 {
				for _, missingBelow := range []bool{false, true} {
					spared, chi := e.told(column, cut, missingBelow)
					if chi >= surely(p.k, len(p.classes)) {
						errs, tells = max(errs, float64(spared)), max(tells, chi)
					}
				}
			}
			if got.errs.gain != errs || math.Abs(got.tells.gain-tells) > 1e-6*tells {
				t.Fatalf("seed %d, column %d: the seeds spare %v and tell %v, the best %v and %v", seed, c, got.errs.gain, got.tells.gain,
					errs, tells)
			}
			if errs > 0 {
				kept++
			}
		}
	}
	if kept < 100 {
		t.Errorf("%d columns have a seed", kept)
	}
}

// told is what weight of errors a cut spares, and its chi-square, by the definition.
func (e *ensemble) told(column binned, cut int, missingBelow bool) (spared int64, chi float64) {
	sides, total := [2][]int64{make([]int64, e.k), make([]int64, e.k)}, make([]int64, e.k)
	for i, b := range column.Bins {
		side := 0
		if int(b) <= cut || int(b) >= column.Ordered && missingBelow {
			side = 1
		}
		sides[side][e.labels[i]] += e.weight(i)
		total[e.labels[i]] += e.weight(i)
	}
	if min(sum(sides[0]), sum(sides[1]))*leafShare < e.total {
		return 0, 0
	}
	for _, side := range sides {
		for class, w := range side {
			if total[class] > 0 {
				want := float64(total[class]) * float64(sum(side)) / float64(e.total)
				chi += (float64(w) - want) * (float64(w) - want) / want
			}
		}
	}
	return slices.Max(sides[0]) + slices.Max(sides[1]) - slices.Max(total), chi * float64(len(e.labels)) / float64(e.total)
}

// TestNoise: of columns of noise at most one in ten is cut, balanced classes, rare ones
// and several.
func TestNoise(t *testing.T) {
	for _, c := range []struct {
		rows   int
		shares []float64
	}{{100, []float64{.5, .5}}, {1000, []float64{.5, .5}}, {1000, []float64{.7, .3}}, {3000, []float64{.95, .05}},
		{600, []float64{.4, .3, .2, .1}}} {
		cut, columns := 0, 0
		for seed := range uint64(20) {
			rng := rand.New(rand.NewPCG(seed, 9))
			p := problem{classes: make([]uint8, c.rows), k: len(c.shares)}
			for i := range p.classes {
				x := rng.Float64()
				for x > c.shares[p.classes[i]] && int(p.classes[i]) < p.k-1 {
					x -= c.shares[p.classes[i]]
					p.classes[i]++
				}
			}
			for range 5 {
				column := binned{Bins: make([]uint8, c.rows), N: 100, Ordered: 100}
				for i := range column.Bins {
					column.Bins[i] = uint8(rng.IntN(100))
				}
				p.columns = append(p.columns, column)
			}
			for _, bins := range cutsOf(slices.Clone(p.columns), p.classes, p.k, nil, 20, false) {
				columns++
				if len(bins) > 0 {
					cut++
				}
			}
		}
		t.Logf("%d rows, %v: %d of %d columns are cut", c.rows, c.shares, cut, columns)
		if cut*10 > columns {
			t.Errorf("%d rows, %v: %d of %d columns of noise are cut", c.rows, c.shares, cut, columns)
		}
	}
}

// cutsOf returns for each column behind which of its ordered bins it is cut, at
// most budget cuts in all columns that are not free, none in those that are.
// Sample i is of class classes[i], below k, and weighs weights[i]; 1 if weights is
// nil. Weights are positive and add up to less than 2^62. With all, each column is
// cut where that tells most of the classes, if it tells more than chance, even
// where no prediction changes.
//
// More than two classes are told apart one by one, each from all others, and what a
// cut gains is added up. The cuts do not depend on how the classes are numbered.
func cutsOf(columns []binned, classes []uint8, k int, weights []int64, budget int, all bool) [][]int {
	e := newEnsemble(problem{columns: columns}.copied(), classes, k, weights, nil)
	e.choose(budget, all)
	return e.cuts()
}

// copied returns the columns with bins of their own, as an ensemble takes them.
func (p problem) copied() []binned {
	columns := slices.Clone(p.columns)
	for c := range columns {
		columns[c].Bins = slices.Clone(columns[c].Bins)
	}
	return columns
}
