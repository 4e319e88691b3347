package numeric

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"go.uber.org/goleak"

	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/must"
	"parcorels/internal/testing/testgen"
	"parcorels/parallel"
	"parcorels/ratio"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// larger draws a table beyond the reach of trying all trees, with something to learn and ties.
func larger(rng *rand.Rand, n, columns, classes int) *problem {
	p := &problem{classes: classes, depth: 3, lambda: ratio.New(rng.Int64N(3), 200)}
	for range columns {
		distinct := []int{2, 5, 40, 1 << 20}[rng.IntN(4)]
		column := make([]int32, n)
		for i := range column {
			column[i] = int32(rng.IntN(distinct))
		}
		p.ranks = append(p.ranks, column)
	}
	for i := range n {
		c := 0
		for h := range min(3, columns) {
			if rng.IntN(6) > 0 && p.ranks[h][i]%7 > 2 {
				c = (c + h + 1) % classes
			}
		}
		p.class = append(p.class, uint16(c))
		if rng.IntN(8) == 0 {
			p.class[i] = uint16(rng.IntN(classes))
		}
	}
	return p
}

func (p *problem) solve(t *testing.T, ctx context.Context, o Options) *Result {
	t.Helper()
	table := must.Get(NewTable(p.ranks, p.class, p.classes, p.weights))(t)
	o.Lambda, o.Depth = p.lambda, p.depth
	r := must.Get(Solve(ctx, table, o))(t)
	if e := p.errors(r.Tree); e != r.Errors || r.Objective != p.lambda.Den*e+p.lambda.Num*p.total()*int64(r.Tree.Leaves()) {
		t.Fatalf("the tree errs by %d: errors %d, objective %d", e, r.Errors, r.Objective)
	}
	return r
}

// TestLimits: a search that is stopped anywhere has a tree and a bound that hold.
func TestLimits(t *testing.T) {
	for seed := range uint64(testgen.Few(cases.Some(200))) {
		rng := rand.New(rand.NewPCG(seed, 5))
		p := larger(rng, 50+rng.IntN(300), 2+rng.IntN(5), 2+rng.IntN(3))
		want := p.solve(t, t.Context(), Options{Workers: 2})
		if want.Status != parallel.Optimal {
			t.Fatalf("seed %d: %v", seed, want.Status)
		}
		ctx, cancel := context.WithCancel(t.Context())
		o := Options{Workers: 1 + rng.IntN(3), Trees: true, ProgressEvery: time.Microsecond}
		switch rng.IntN(3) {
		case 0:
			o.Nodes = 1 + rng.Int64N(want.Stats.Sets)
		case 1:
			o.Time = time.Duration(1 + rng.IntN(3_000_000))
		default:
			time.AfterFunc(time.Duration(rng.IntN(3_000_000)), cancel)
		}
		optimum := float64(want.Objective) / (float64(p.lambda.Den) * float64(p.total()))
		o.Progress = func(look Progress) {
			if look.Bound > optimum+1e-12 || look.Value < optimum-1e-12 {
				t.Errorf("seed %d: told bound %v and value %v, the optimum is %v", seed, look.Bound, look.Value, optimum)
			}
			if look.Tree != nil && look.Exact != p.lambda.Den*p.errors(look.Tree)+p.lambda.Num*p.total()*int64(look.Tree.Leaves()) {
				t.Errorf("seed %d: a tree was told with a wrong objective", seed)
			}
		}
		r := p.solve(t, ctx, o)
		cancel()
		if r.LowerBound > want.Objective || r.Objective < want.Objective || r.Status == parallel.Optimal && r.LowerBound != want.Objective {
			t.Fatalf("seed %d: %v, bound %d and objective %d, the optimum is %d", seed, r.Status, r.LowerBound, r.Objective, want.Objective)
		}
	}
}

// TestOptions: the answer is one for all workers and all sizes of bins and cells, for weights times
// a factor, and, but for the order of columns, for columns in another order.
func TestOptions(t *testing.T) {
	for seed := range uint64(testgen.Few(cases.Some(60))) {
		rng := rand.New(rand.NewPCG(seed, 6))
		p := larger(rng, 100+rng.IntN(900), 2+rng.IntN(6), 2+rng.IntN(3))
		want := p.solve(t, t.Context(), Options{Workers: 1})
		for range 3 {
			o := Options{Workers: 1 + rng.IntN(4), maxBins: []int{0, 2, 5, 30}[rng.IntN(4)], maxCells: []int{0, 1, 9, 500}[rng.IntN(4)],
				closeUps: rng.IntN(2) == 0}
			if r := p.solve(t, t.Context(), o); fmt.Sprint(r.Tree) != fmt.Sprint(want.Tree) {
				t.Fatalf("seed %d: %v, with other options %v", seed, want.Tree, r.Tree)
			}
		}
		q := *p
		for range p.class {
			q.weights = append(q.weights, 1<<33)
		}
		if r := q.solve(t, t.Context(), Options{Workers: 2}); fmt.Sprint(r.Tree) != fmt.Sprint(want.Tree) {
			t.Fatalf("seed %d: %v, with larger weights %v", seed, want.Tree, r.Tree)
		}
		q = *p
		q.ranks = nil
		for _, h := range rng.Perm(len(p.ranks)) {
			q.ranks = append(q.ranks, p.ranks[h])
		}
		if r := q.solve(t, t.Context(), Options{Workers: 2}); r.Objective != want.Objective || r.Tree.Leaves() != want.Tree.Leaves() {
			t.Fatalf("seed %d: objective %d, in another order of columns %d", seed, want.Objective, r.Objective)
		}
	}
}
