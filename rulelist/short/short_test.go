package short_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/bitvec"
	"parcorels/instance"
	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/given"
	"parcorels/internal/testing/must"
	"parcorels/internal/testing/testgen"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/short"

	"github.com/bits-and-blooms/bitset"
)

// made is a random problem, with its samples.
type made struct {
	columns [][]bool
	class   []uint16
	weights []int64
	classes int
	lambda  ratio.Ratio
	total   int64
}

// random makes a problem of few samples and conditions, in which ties are frequent.
func random(seed uint64) made {
	rng := rand.New(rand.NewPCG(seed, 52))
	return draw(rng, 3+rng.IntN(40), 1+rng.IntN(6))
}

func draw(rng *rand.Rand, n, m int) made {
	x := made{classes: 2 + rng.IntN(3), columns: make([][]bool, m), class: make([]uint16, n), weights: make([]int64, n)}
	most := []int64{1, 3, 20, 1 << 20, 1 << 33}[rng.IntN(5)]
	for i := range n {
		x.class[i], x.weights[i] = uint16(rng.IntN(x.classes)), 1+rng.Int64N(most)
		x.total += x.weights[i]
	}
	for j := range x.columns {
		share := rng.Float64()
		for i := range n {
			yes := rng.Float64() < share
			if j > 0 && rng.IntN(3) == 0 {
				yes = x.columns[j-1][i]
			}
			if rng.IntN(4) == 0 {
				yes = int(x.class[i]) == j%x.classes
			}
			x.columns[j] = append(x.columns[j], yes)
		}
	}
	x.lambda = ratio.New(rng.Int64N(4), 10+rng.Int64N(90))
	return x
}

// problem reduces it, for lists of at most so many rules.
func (x *made) problem(t *testing.T, most int) *problem.Problem {
	t.Helper()
	columns := make([]*bitset.BitSet, len(x.columns))
	for j, c := range x.columns {
		columns[j] = bitset.New(uint(len(c)))
		for i, yes := range c {
			columns[j].SetTo(uint(i), yes)
		}
	}
	in := must.Get(instance.FromSet(given.ClassSet(columns, x.class, x.classes, x.weights, len(x.class))))(t)
	p := must.Get(problem.New(in, problem.Settings{Lambda: x.lambda, MaxRules: most}))(t)
	p.Choose(func() bool { return true })
	return p
}

// objective is that of a list, by the samples.
func (x *made) objective(list []problem.Antecedent) int64 {
	weights := make([][]int64, len(list)+1)
	for k := range weights {
		weights[k] = make([]int64, x.classes)
	}
	for i, class := range x.class {
		k := 0
		for k < len(list) && !x.columns[list[k]][i] {
			k++
		}
		weights[k][class] += x.weights[i]
	}
	errors := x.total
	for _, w := range weights {
		errors -= slices.Max(w)
	}
	return x.lambda.Den*errors + x.lambda.Num*x.total*int64(len(list))
}

// best is the smallest of a list and all lists of at most so many rules.
func (x *made) best(known problem.Solution, most int) problem.Solution {
	var extend func(list []problem.Antecedent)
	extend = func(list []problem.Antecedent) {
		n := problem.Solution{Objective: x.objective(list), List: slices.Clone(list)}
		if n.Better(&known) {
			known = n
		}
		for a := range x.columns {
			if len(list) < most && !slices.Contains(list, problem.Antecedent(a)) {
				extend(append(list, problem.Antecedent(a)))
			}
		}
	}
	extend(nil)
	return known
}

// solve looks for lists of at most so many rules from a known one on.
func solve(p *problem.Problem, known problem.Solution, o short.Options) (problem.Solution, short.Result) {
	var best parallel.Incumbent[problem.Solution]
	best.Offer(&known)
	o.Best, o.Offer, o.Running = best.Load, best.Offer, func() bool { return true }
	r := short.Run(p, o)
	return *best.Load(), r
}

// TestOracle compares with all lists, of two to four classes, with weights and without a price.
func TestOracle(t *testing.T) {
	t.Parallel()
	for seed := range testgen.Seeds(10000) {
		x := random(uint64(seed))
		rng := rand.New(rand.NewPCG(uint64(seed), 1))
		most := 3 + rng.IntN(3)
		p := x.problem(t, most)
		known := problem.Solution{Objective: p.EmptyObjective()}
		if rng.IntN(2) == 0 { // some list, which may have more rules
			var list []problem.Antecedent
			for _, a := range rng.Perm(len(x.columns))[:rng.IntN(len(x.columns)+1)] {
				list = append(list, problem.Antecedent(a))
			}
			if known = (problem.Solution{Objective: x.objective(list), List: list}); x.objective(nil) <= known.Objective {
				known = problem.Solution{Objective: x.objective(nil)}
			}
		}
		want := x.best(known, most)
		o := short.Options{Workers: 1 + rng.IntN(3), Most: most}
		if rng.IntN(2) == 0 {
			o.Memory = 1 + rng.Int64N(500)
		}
		got, r := solve(p, known, o)
		if got.Objective != want.Objective || !slices.Equal(got.List, want.List) || r.Rules != most {
			t.Fatalf("seed %d: %v %d, want %v %d (%d rules)", seed, got.List, got.Objective, want.List, want.Objective, r.Rules)
		}
		shorter := o
		shorter.Most = 1 + rng.IntN(most)
		o.Done = shorter.Most // in two steps
		half, _ := solve(p, known, shorter)
		if got, r = solve(p, half, o); !slices.Equal(got.List, want.List) || r.Rules != most {
			t.Fatalf("seed %d: %v after those of %d rules, want %v (%d rules)", seed, got.List, o.Done, want.List, r.Rules)
		}
		o.Most, o.Done = 0, 0
		got, r = solve(p, known, o)
		want = x.best(known, min(r.Rules, len(x.columns)))
		if !slices.Equal(got.List, want.List) {
			t.Fatalf("seed %d, %d rules: %v, want %v", seed, r.Rules, got.List, want.List)
		}
	}
}

// TestSameInAnyWay asks for the same list from any number of workers, within any memory, and from every kernel, on
// problems too large to try all lists.
func TestSameInAnyWay(t *testing.T) {
	before := bitvec.Kernel()
	defer func() { _ = bitvec.UseKernel(before) }()
	for seed := range uint64(testgen.Few(cases.Count(60))) {
		rng := rand.New(rand.NewPCG(seed, 53))
		x := draw(rng, 100+rng.IntN(400), 10+rng.IntN(50))
		most := 3 + int(seed%2)
		p := x.problem(t, most)
		known := problem.Solution{Objective: p.EmptyObjective()}
		want, _ := solve(p, known, short.Options{Workers: 1, Most: most})
		if got := x.objective(want.List); got != want.Objective {
			t.Fatalf("seed %d: objective %d, the samples say %d", seed, want.Objective, got)
		}
		for _, kernel := range bitvec.Kernels() {
			must.Do(t, bitvec.UseKernel(kernel))
			o := short.Options{Workers: 1 + rng.IntN(4), Most: most, Memory: 1 + rng.Int64N(20000)}
			got, r := solve(p, known, o)
			if got.Objective != want.Objective || !slices.Equal(got.List, want.List) || r.Rules != most {
				t.Errorf("seed %d, %s, %+v: %v, want %v", seed, kernel, o, got, want)
			}
		}
		half, _ := solve(p, known, short.Options{Workers: 2, Most: most - 1})
		if got, _ := solve(p, half, short.Options{Workers: 2, Most: most, Done: most - 1}); !slices.Equal(got.List, want.List) {
			t.Errorf("seed %d: %v in two steps, want %v", seed, got, want)
		}
		last := want // it is not found again, and nothing better is
		if got, _ := solve(p, last, short.Options{Workers: 2, Most: most}); !slices.Equal(got.List, want.List) {
			t.Errorf("seed %d: %v is better than %v", seed, got, want)
		}
	}
}

// TestPairsInBlocks asks for two rules of one rare class, without memory for counts. So most blocks have no second rule.
func TestPairsInBlocks(t *testing.T) {
	for seed := range uint64(testgen.Few(cases.Count(60))) {
		rng := rand.New(rand.NewPCG(seed, 59))
		x := draw(rng, 400, 200)
		for j := range x.columns {
			share := rng.Float64() * rng.Float64()
			if j%67 == 5 {
				share = .3
			}
			for i := range x.class {
				x.columns[j][i] = rng.Float64() < share
			}
		}
		first, second := x.columns[5], x.columns[72]
		for i := range x.class {
			x.class[i] = 0
			if rng.IntN(20) == 0 || second[i] && !first[i] && rng.IntN(5) > 0 {
				x.class[i] = uint16(1 + rng.IntN(x.classes-1))
			}
		}
		x.lambda = ratio.New(1, 100)
		p := x.problem(t, 2)
		known := problem.Solution{Objective: p.EmptyObjective()}
		want, _ := solve(p, known, short.Options{Workers: 1, Most: 2})
		if got, _ := solve(p, known, short.Options{Workers: 1, Most: 2, Memory: 1}); !slices.Equal(got.List, want.List) {
			t.Errorf("seed %d: %v, want %v", seed, got, want)
		}
	}
}
