package search_test

import (
	"bytes"
	"context"
	"io"
	"reflect"
	"testing"
	"time"

	"parcorels/internal/testing/testgen"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/save"
	"parcorels/rulelist/search"
)

// TestSeparationBoundsEarly stops searches after one prefix: with the separation bound
// the gap is a few per cent then, and most of the objective without.
func TestSeparationBoundsEarly(t *testing.T) {
	for seed := range uint64(3) {
		in := testgen.Noisy(seed)
		var gaps [2]float64
		for k, without := range []problem.Prunings{0, problem.Separation} {
			r, err := solve(context.Background(), in, search.Separated(search.Options{Workers: 1, Nodes: 1, Without: without}))
			if err != nil {
				t.Fatal(err)
			}
			gaps[k] = r.Gap()
		}
		if gaps[0] > 0.1 || gaps[1] < 0.3 {
			t.Errorf("seed %d: gaps after one prefix: %v with the separation bound, %v without", seed, gaps[0], gaps[1])
		}
	}
}

// TestSeparationIsTold looks at a search while the root's LP runs, which is before the
// first prefix: the bounds told then rise, and hold.
func TestSeparationIsTold(t *testing.T) {
	in := testgen.Noisy(1)
	var early []search.Progress
	r, err := solve(context.Background(), in, search.Separated(search.Options{
		Workers: 2, ProgressEvery: time.Nanosecond,
		Progress: func(p search.Progress) {
			if p.Nodes == 0 && !p.Final {
				early = append(early, p)
			}
		},
	}))
	if err != nil {
		t.Fatal(err)
	}
	if len(early) < 2 {
		t.Fatalf("%d looks before the first prefix", len(early))
	}
	last := 0.
	for _, p := range early {
		if p.Bound < last || p.Bound > r.ObjectiveValue()+1e-12 || p.Value < r.ObjectiveValue()-1e-12 || p.Open == 0 {
			t.Errorf("a look %+v after a bound of %v; the optimum is %v", p, last, r.ObjectiveValue())
		}
		last = p.Bound
	}
	if last < r.ObjectiveValue()/2 {
		t.Errorf("the last bound before the first prefix is %v of %v", last, r.ObjectiveValue())
	}
}

// TestSeparationResumes stops searches with the separation bound again and again, and
// continues them from their checkpoints: the list is that of a search without it.
func TestSeparationResumes(t *testing.T) {
	stops := 0
	for seed := range uint64(testgen.Few(4)) {
		in := testgen.Noisy(seed)
		want, err := solve(context.Background(), in, search.Options{Workers: 1, Without: problem.Separation})
		if err != nil {
			t.Fatal(err)
		}
		var saved []byte
		for workers := 1; ; workers = 3 - workers {
			var next bytes.Buffer
			c := &save.Checkpoint{Save: func(write func(io.Writer) error) error { next.Reset(); return write(&next) }}
			if saved != nil {
				c.From = bytes.NewReader(saved)
			}
			r, err := solve(context.Background(), in, search.Separated(search.Options{Workers: workers, Nodes: 1, Checkpoint: c}))
			if err != nil {
				t.Fatal(err)
			}
			if r.LowerBound > want.Objective {
				t.Fatalf("seed %d: bound %d above the optimum %d", seed, r.LowerBound, want.Objective)
			}
			if r.Gap() == 0 && r.Status.String() == "optimal" {
				if !reflect.DeepEqual(r.Rules, want.Rules) || r.Objective != want.Objective {
					t.Fatalf("seed %d: resumed: %v\nwithout the bound: %v", seed, r, want)
				}
				break
			}
			stops++
			saved = bytes.Clone(next.Bytes())
		}
	}
	if stops < testgen.Few(4) {
		t.Errorf("only %d searches were stopped", stops)
	}
}

// TestSeparationInLittleMemory: the LP's memory counts, and where there is too little
// the search goes on without it and finds the same list.
func TestSeparationInLittleMemory(t *testing.T) {
	in := testgen.Noisy(2)
	want, err := solve(context.Background(), in, search.Separated(search.Options{Workers: 1}))
	if err != nil {
		t.Fatal(err)
	}
	for _, share := range []int64{2, 4, 8} {
		limit := want.Stats.PeakBytes * share / 8
		r, err := solve(context.Background(), in, search.Separated(search.Options{Workers: 1, Memory: limit}))
		if err != nil {
			t.Fatal(err)
		}
		if r.Status.String() == "optimal" && !reflect.DeepEqual(r.Rules, want.Rules) {
			t.Errorf("with %d bytes %v, with enough %v", limit, r.Rules, want.Rules)
		}
		if r.Stats.PeakBytes > limit {
			t.Errorf("%d bytes of %d", r.Stats.PeakBytes, limit)
		}
	}
}
