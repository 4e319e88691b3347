package search

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/instance"
	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/testgen"
	"parcorels/parallel"
	"parcorels/rulelist/problem"
	verifylist "parcorels/verify/rulelist"
)

// starve takes free nodes and chunks of the queue away and spends the budget,
// so that worker 0 has so many nodes, every other worker none, and every shard
// room for so many chunks. A real budget leaves thousands of both, more than a
// problem that exhaustive search can do has any use for.
func (s *search) starve(nodes, chunks int) {
	s.budget.Limit = 1 // whatever was taken, there is no more
	s.arena.Handle(0).Shrink(nodes)
	s.queue.Shrink(chunks)
}

// solveStarved is Solve without a first incumbent, in a starved search.
func solveStarved(in *instance.Instance, o Options, nodes, chunks int) (Result, error) {
	p, err := laidOutProblem(in, o)
	if err != nil {
		return Result{}, err
	}
	s := newSearch(p, o.withDefaults())
	s.proof = s.newProof()
	if !s.build() {
		return Result{}, fmt.Errorf("a search without a limit cannot start")
	}
	s.starve(nodes, chunks)
	s.begin()
	s.runAll(context.Background())
	return s.result(s.queue.Status(), 0), nil
}

// solveSeparated is Solve with the separation bound in a starved search.
func solveSeparated(in *instance.Instance, o Options, nodes, chunks int) (Result, error) {
	return Solve(context.Background(), in, Straits{Starved: true, Nodes: nodes, Chunks: chunks, Bounded: true}.In(o))
}

// TestStarved compares searches that run out of nodes, queue and map at the
// most different moments with exhaustive search. Some write a proof, which is
// checked; some have the separation bound.
func TestStarved(t *testing.T) {
	t.Parallel()
	count := testgen.Few(cases.Some(1000))
	var c starvedCounts
	for seed := range uint64(count) {
		rng := rand.New(rand.NewPCG(seed, 10))
		in := testgen.Small(seed)
		if seed%2 == 0 {
			in = testgen.Ties(testgen.Critical[rng.IntN(len(testgen.Critical))])
		}
		c.starved(t, rng, in)
	}
	t.Logf("%+v", c)
	if c.dived == 0 || c.dived < c.searches/10 || c.bounded < c.bounds/10 || c.bounds == 0 {
		t.Errorf("too few searches went depth first, or had bounds in their proof: %+v", c)
	}
}

// starvedCounts says what starved searches came to.
type starvedCounts struct {
	searches int
	dived    int // expanded more prefixes than had a node
	proofs   int // checked
	bounds   int // of them, with bounds of LPs
	bounded  int // of those, dived
}

func (c *starvedCounts) starved(t *testing.T, rng *rand.Rand, in testgen.Instance) {
	t.Helper()
	want, err := in.Best()
	if err != nil {
		t.Fatal(err)
	}
	set := setOf(in)
	reduced, err := instance.FromSet(set)
	if err != nil {
		t.Fatal(err)
	}
	for range 6 {
		o := Options{
			Lambda: in.Lambda, Workers: 1 + rng.IntN(3)*rng.IntN(2),
			Policy: Policy(rng.IntN(len(policyNames))), Symmetry: Symmetry(rng.IntN(len(symmetryNames))),
			Without: problem.Prunings(rng.Uint64()) & problem.AllPrunings(),
		}
		var file bytes.Buffer
		if rng.IntN(3) == 0 {
			o.Proof = &Proof{To: &file, Digest: set.Digest()}
		}
		nodes, chunks := rng.IntN(1+rng.IntN(40)), 1+rng.IntN(4)
		solve := solveStarved
		if rng.IntN(3) == 0 {
			o.Without = o.Without&^problem.Separation | problem.Incumbent
			solve = solveSeparated
		}
		r, err := solve(reduced, o, nodes, chunks)
		if err != nil {
			t.Fatal(err)
		}
		list := listOf(r)
		if r.Status != parallel.Optimal || r.Objective != want.Objective || !slices.Equal(list, want.Antecedents) {
			t.Fatalf("%+v with %d nodes and %d chunks: %v, %v with objective %d; the optimum is %v with %d\n%v",
				o, nodes, chunks, r.Status, list, r.Objective, want.Antecedents, want.Objective, in)
		}
		c.searches++
		dived := r.Stats.Expanded > r.Stats.Inserted
		if dived {
			c.dived++
		}
		if o.Proof == nil || r.Stats.ProofRecords > 300 { // a long one takes longer to check than it was to find
			continue
		}
		v, err := CheckProof(context.Background(), &file, set, verifylist.Options{Workers: 1})
		if err != nil || r.ProofErr != nil {
			t.Fatalf("%+v with %d nodes and %d chunks: %v, %v\n%v", o, nodes, chunks, err, r.ProofErr, in)
		}
		if c.proofs++; v.Bounds > 0 {
			if c.bounds++; dived {
				c.bounded++
			}
		}
	}
}
