package search

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"go.uber.org/goleak"

	"parcorels/instance"
	"parcorels/internal/testing/must"
	"parcorels/optionerr"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/tree/price"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var small = Options{Lambda: ratio.New(1, 1000)}

// TestStopped: at any number of counts there is a tree whose value is what the
// result says, and a bound that the optimum respects.
func TestStopped(t *testing.T) {
	p := boards(t)
	best, err := Solve(t.Context(), p, small)
	if err != nil || best.Status != parallel.Optimal {
		t.Fatal(best, err)
	}
	for _, nodes := range []int64{1, 2, 3, 10, 100, 1000, 10_000} {
		for _, workers := range []int{1, 3} {
			o := small
			o.Nodes, o.Workers = nodes, workers
			r, err := Solve(t.Context(), p, o)
			if err != nil || r.Status != parallel.NodeLimit {
				t.Fatalf("%d nodes: %v, %v", nodes, r.Status, err)
			}
			if r.Stats.Counted > nodes || workers == 1 && r.Stats.Counted != nodes {
				t.Errorf("%d counts of %d", r.Stats.Counted, nodes)
			}
			if r.LowerBound > best.Objective || r.Objective < best.Objective || r.Objective != objectiveOf(p, r.Tree, small.Lambda) {
				t.Errorf("%d nodes: objective %d, bound %d; optimum %d", nodes, r.Objective, r.LowerBound, best.Objective)
			}
			for at := range r.Tree {
				for _, x := range raised(r.Tree, at) {
					if objective := objectiveOf(p, x, small.Lambda); objective < r.Objective {
						t.Errorf("%d nodes: objective %d, without split %d %d", nodes, r.Objective, at, objective)
					}
				}
			}
		}
	}
}

// raised returns trees in which one of the sides takes the place of a split.
func raised(tree Tree, at int) []Tree {
	if tree[at] < 0 {
		return nil
	}
	middle := end(tree, at+1)
	last := end(tree, middle)
	return []Tree{slices.Concat(tree[:at], tree[at+1:middle], tree[last:]), slices.Concat(tree[:at], tree[middle:])}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r, err := Solve(ctx, boards(t), Options{Lambda: ratio.New(0, 1), Workers: 2})
	if err != nil || r.Status != parallel.Interrupted && r.Status != parallel.Optimal {
		t.Errorf("%v, %v", r, err)
	}
	r, err = Solve(t.Context(), boards(t), Options{Lambda: ratio.New(1, 5000), Time: time.Nanosecond})
	if err != nil || r.Status != parallel.TimeLimit && r.Status != parallel.Optimal || len(r.Tree) == 0 {
		t.Errorf("%v, %v", r, err)
	}
}

// TestStarved: a cache that holds next to nothing leads to the same tree.
func TestStarved(t *testing.T) { starve(t, boards(t), ratio.New(1, 200), 0, 6, 2) }

// TestStarvedFico takes tens of thousands of sets, and needs the data of the papers.
func TestStarvedFico(t *testing.T) {
	starve(t, loadBinary(t, "fico_binary"), ratio.New(25, 10_000), 6)
}

// starve solves p with parts of the memory that it likes, 0 for a byte.
func starve(t *testing.T, p *instance.Points, lambda ratio.Ratio, parts ...int64) {
	t.Helper()
	o := Options{Lambda: lambda, Workers: 1}
	want := must.Get(Solve(t.Context(), p, o))(t)
	for _, part := range parts {
		o.Memory = 1
		if part > 0 {
			o.Memory = want.Stats.PeakBytes / part
		}
		got, err := Solve(t.Context(), p, o)
		if err != nil || !slices.Equal(got.Tree, want.Tree) || got.LowerBound != want.LowerBound {
			t.Errorf("%d bytes: %v, %v", o.Memory, got, err)
		}
		if part > 0 && got.Stats.PeakBytes > o.Memory {
			t.Errorf("a peak of %d bytes of %d", got.Stats.PeakBytes, o.Memory)
		}
		t.Logf("%d bytes (peak %d, %d liked): %d counts, %d with all it likes, %v after %v", o.Memory,
			got.Stats.PeakBytes, want.Stats.PeakBytes, got.Stats.Counted, want.Stats.Counted, got.Stats.Search, want.Stats.Search)
	}
}

func TestOptions(t *testing.T) {
	p := boards(t)
	for want, o := range map[string]Options{
		"Lambda":  {},
		"Depth":   {Lambda: small.Lambda, Depth: -1},
		"Workers": {Lambda: small.Lambda, Workers: 5000},
		"Time":    {Lambda: small.Lambda, Time: -1},
		"Nodes":   {Lambda: small.Lambda, Nodes: -1},
		"Memory":  {Lambda: small.Lambda, Memory: -1},
	} {
		var bad *optionerr.Error
		if _, err := Solve(t.Context(), p, o); !errors.As(err, &bad) || bad.Field != want {
			t.Errorf("%+v: %v", o, err)
		}
	}
	var scale *price.ErrScale
	if _, err := Solve(t.Context(), p, Options{Lambda: ratio.New(1, 1<<60)}); !errors.As(err, &scale) {
		t.Errorf("λ of 60 bits: %v", err)
	}
	if _, err := Solve(t.Context(), nil, small); err == nil {
		t.Error("no points, no error")
	}
}

// TestProgress: bounds only tighten, and the last look is the result.
func TestProgress(t *testing.T) {
	var seen []Progress
	o := Options{Lambda: ratio.New(1, 2000), Workers: 2, ProgressEvery: time.Millisecond,
		Progress: func(p Progress) { seen = append(seen, p) }}
	r := must.Get(Solve(t.Context(), boards(t), o))(t)
	for i := 1; i < len(seen); i++ {
		a, b := seen[i-1], seen[i]
		if b.Bound < a.Bound || b.Value > a.Value || b.Nodes < a.Nodes {
			t.Errorf("from %+v to %+v", a, b)
		}
	}
	if last := seen[len(seen)-1]; !last.Final || last.Gap != 0 || last.Length != r.Leaves || last.Nodes != r.Stats.Counted {
		t.Errorf("%+v is not the end of %+v", last, r.Stats)
	}
}

// TestTrees: the trees told while the search runs are trees of the points, each
// better than the one before and none better than the optimum.
func TestTrees(t *testing.T) {
	p, all := boards(t), 0
	for _, workers := range []int{1, 3} {
		for _, memory := range []int64{0, 1 << 16} {
			o := Options{Lambda: ratio.New(1, 1000), Workers: workers, Memory: memory, Trees: true, ProgressEvery: 200 * time.Microsecond}
			told, last := 0, price.Far
			o.Progress = func(now Progress) {
				if now.Tree == nil {
					return
				}
				if now.Exact >= last || now.Exact != objectiveOf(p, now.Tree, o.Lambda) {
					t.Errorf("%d workers: tree of %d, told as %d after %d", workers, objectiveOf(p, now.Tree, o.Lambda), now.Exact, last)
				}
				told, last = told+1, now.Exact
			}
			r, err := Solve(t.Context(), p, o)
			if err != nil || r.Status != parallel.Optimal || last < r.Objective {
				t.Errorf("%d workers: %v, %v; told %d trees, the last of %d", workers, r, err, told, last)
			}
			all += told
		}
	}
	if all == 0 { // one search alone may end before the first look
		t.Error("no search told a tree")
	}
}
