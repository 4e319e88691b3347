package search

import (
	"math/rand/v2"
	"testing"

	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/testgen"
	"parcorels/rulelist/problem"
)

var (
	policies   = []Policy{LowerBound, Objective, Curiosity, BreadthFirst, DepthFirst}
	symmetries = []Symmetry{Captured, Permutation, NoSymmetry}
	workers    = []int{1, 2, 3, 8}
)

func pick[T any](rng *rand.Rand, choices []T) T { return choices[rng.IntN(len(choices))] }

// configurations returns the defaults, every policy, symmetry mode, number of
// workers and single ablation with the other settings drawn at random, random
// ablations, and everything left out. Most go without the first incumbent,
// which is the optimum too often to leave the search much to get wrong.
func configurations(rng *rand.Rand) []Options {
	all := problem.AllPrunings()
	list := []Options{{Workers: 1}, {Workers: 2}, {Workers: 1, Without: problem.Incumbent}}
	vary := func(set func(o *Options)) {
		o := Options{
			Policy: pick(rng, policies), Symmetry: pick(rng, symmetries), Workers: pick(rng, workers),
			Without: pick(rng, []problem.Prunings{0, problem.Incumbent, problem.Incumbent, problem.Incumbent}),
			Known:   pick(rng, [][][]int{nil, {{0}}, {{1, 0}, {2}}, {rng.Perm(5)[:3], nil}, {{3, 99, 3}}}),
		}
		set(&o)
		list = append(list, o)
	}
	for _, policy := range policies {
		vary(func(o *Options) { o.Policy = policy })
	}
	for _, symmetry := range symmetries {
		vary(func(o *Options) { o.Symmetry = symmetry })
	}
	for _, n := range workers {
		vary(func(o *Options) { o.Workers = n })
	}
	for p := problem.Prunings(1); p&all != 0; p <<= 1 {
		vary(func(o *Options) { o.Without |= p })
		vary(func(o *Options) { o.Without = p | problem.Incumbent; o.Workers = 1 })
		vary(func(o *Options) { o.Without = all&^p | problem.Incumbent })
	}
	for range 4 {
		vary(func(o *Options) { o.Without |= problem.Prunings(rng.Uint64()) & all })
	}
	vary(func(o *Options) { o.Without = all })
	return list
}

// TestOracle holds every configuration against exhaustive search: the same
// objective and the same list.
func TestOracle(t *testing.T) {
	t.Parallel()
	const apart = 3 // every third configuration, each in its turn
	seeds(t, 800, func(seed uint64) {
		in := pick(rand.New(rand.NewPCG(seed, 8)), []testgen.Generator{testgen.Small, testgen.Ties})(seed)
		solves(t, in, best(t, in), every(apart, seed, configurations(rand.New(rand.NewPCG(seed, 1))))...)
	})
}

// every returns the k-th of so many parts of the configurations.
func every(apart int, k uint64, all []Options) (part []Options) {
	for i := int(k % uint64(apart)); i < len(all); i += apart {
		part = append(part, all[i])
	}
	return part
}

// TestOracleCritical does the same on the instances that turn on how ties
// between prefixes are broken.
func TestOracleCritical(t *testing.T) {
	testgen.NotRaced(t)
	t.Parallel()
	apart := 2
	if !cases.All() {
		apart = 12
	}
	for k, seed := range testgen.Critical {
		in := testgen.Ties(seed)
		solves(t, in, best(t, in), every(apart, uint64(k), configurations(rand.New(rand.NewPCG(seed, 9))))...)
	}
}
