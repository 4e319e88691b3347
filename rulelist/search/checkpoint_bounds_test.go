package search

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"parcorels/instance"
	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/oracle"
	"parcorels/internal/testing/testgen"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/save"
)

// noisyProblem is an instance on which ascents raise bounds without closing most prefixes.
func noisyProblem(t *testing.T, seed uint64) *instance.Instance {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 62))
	p := oracle.Problem{Columns: make([][]bool, 30)}
	for range 120 {
		x := rng.Float64()
		p.Labels = append(p.Labels, (x > 0.5) != (rng.IntN(4) == 0))
		for c := range p.Columns {
			p.Columns[c] = append(p.Columns[c], (x+rng.Float64() > float64(c)/15) == (c%3 > 0))
		}
	}
	return testgen.Reduced(t, testgen.Instance{Problem: p}.Set())
}

// TestResumedBounds: a search that is resumed has the bounds of its open prefixes, orders
// them as before, and tells no lower bound on all lists than the one that was stopped.
func TestResumedBounds(t *testing.T) {
	testgen.NotRaced(t)
	t.Parallel()
	raised, kept := 0, 0
	for seed := range uint64(max(4, cases.Some(12))) {
		in := noisyProblem(t, seed)
		for _, x := range []Straits{{Bounded: true}, {Bounded: true, Starved: true, Nodes: 6, Chunks: 1}} {
			o := x.In(Options{Lambda: ratio.Ratio{Num: 1, Den: 80}, Workers: 1, Without: problem.Incumbent | problem.LookAhead, Nodes: 30})
			before, file := stopped(t, in, o, nil)
			if before.Status == parallel.Optimal {
				continue
			}
			p := laidOut(t, in, o)
			bounds, above := openBounds(t, p, o, file)
			if raised += above; len(bounds) == 0 {
				continue
			}
			hasty := o
			hasty.Time, hasty.Checkpoint = 1, &save.Checkpoint{From: bytes.NewReader(file)}
			cut, err := Solve(t.Context(), in, hasty)
			if err != nil || cut.Status != parallel.TimeLimit || cut.LowerBound < before.LowerBound {
				t.Errorf("seed %d: %v: a lower bound of %d is %d, %v, where the time ends before the search", seed, err, before.LowerBound,
					cut.LowerBound, cut.Status)
			}
			o.Nodes = 1
			after, next := stopped(t, in, o, file)
			if after.Status == parallel.Optimal {
				continue
			}
			if after.LowerBound < before.LowerBound {
				t.Errorf("seed %d, %d nodes: a lower bound of %d becomes %d", seed, o.Nodes, before.LowerBound, after.LowerBound)
			}
			least, gone := problem.Unknown, int64(0)
			later, _ := openBounds(t, p, o, next)
			for prefix, bound := range bounds {
				least = min(least, bound)
				if b, ok := later[prefix]; !ok {
					if bound < after.Objective { // others may be left out, as a better list beats them
						gone = max(gone, bound)
					}
				} else if kept++; b != bound {
					t.Errorf("seed %d: the bound of %s was %d and is %d", seed, prefix, bound, b)
				}
			}
			level := (before.Objective - p.RootCost()) / (buckets/finest - 1)
			if !x.Starved && gone > least+level+1 {
				t.Errorf("seed %d: a prefix with bound %d was taken before one with %d", seed, gone, least)
			}
		}
	}
	t.Logf("%d bounds were raised, %d prefixes open twice", raised, kept)
	if raised == 0 || kept == 0 {
		t.Errorf("%d bounds were raised, %d prefixes open twice: nothing is tested", raised, kept)
	}
}

// stopped runs a search to its limit, and returns what it leaves.
func stopped(t testing.TB, in *instance.Instance, o Options, file []byte) (Result, []byte) {
	t.Helper()
	var b bytes.Buffer
	o.Checkpoint = &save.Checkpoint{Save: func(write func(io.Writer) error) error { return write(&b) }}
	if file != nil {
		o.Checkpoint.From = bytes.NewReader(file)
	}
	r, err := Solve(context.Background(), in, o)
	if err != nil || r.CheckpointErr != nil || b.Len() == 0 && r.Status != parallel.Optimal {
		t.Fatalf("status %v, errors %v and %v, %d bytes", r.Status, err, r.CheckpointErr, b.Len())
	}
	return r, b.Bytes()
}

// openBounds returns the bounds of the open prefixes of a checkpoint, and how many of them
// exceed that of the cost.
func openBounds(t *testing.T, p *problem.Problem, o Options, file []byte) (bounds map[string]int64, above int) {
	t.Helper()
	_, all, err := said(p, o, file)
	if err != nil {
		t.Fatal(err)
	}
	bounds = map[string]int64{}
	for _, x := range all {
		if x.kind != save.KindOpen {
			continue
		}
		if x.more > 0 {
			above++
		}
		list := p.Evaluate(x.prefix)
		u := append([]uint64(nil), p.All...)
		for _, a := range x.prefix {
			for i, m := range p.In.Columns[a] {
				u[i] &^= m
			}
		}
		g1, g0 := p.Planes.Cost(u)
		bounds[fmt.Sprint(x.prefix)] = list.Objective - p.Unit*min(g1, g0) + p.Price + x.more
	}
	return bounds, above
}
