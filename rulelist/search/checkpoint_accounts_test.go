package search

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"math/rand/v2"
	"testing"

	"parcorels/instance"
	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/oracle"
	"parcorels/internal/testing/testgen"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/rulelist/prune"
	"parcorels/rulelist/save"
)

// thresholds is an instance of noisy measurements of one thing, each cut at many places, on which
// the root's LP and ascents pay.
func thresholds(t *testing.T, samples, columns, measurements int, spread float64, noise int) *instance.Instance {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, 63))
	p := oracle.Problem{Columns: make([][]bool, columns)}
	each := columns / measurements
	v := make([]float64, measurements)
	for range samples {
		x := rng.Float64()
		p.Labels = append(p.Labels, (x > 0.5) != (rng.IntN(noise) == 0))
		for j := range v {
			v[j] = x + spread*(2*rng.Float64()-1)
		}
		for c := range p.Columns {
			p.Columns[c] = append(p.Columns[c], (v[c/each] > float64(c%each)/float64(each)) == (c%3 > 0))
		}
	}
	return testgen.Reduced(t, testgen.Instance{Problem: p}.Set())
}

// TestResumedAccounts: a search that is stopped and resumed expands at most a tenth more prefixes than one that
// runs straight.
func TestResumedAccounts(t *testing.T) {
	t.Parallel()
	type table struct {
		samples, columns, measurements int
		spread                         float64
		noise                          int
	}
	// A search of the first that forgets its accounts expands six times as many.
	tables := []table{{200, 120, 4, 0.6, 8}, {300, 200, 4, 0.6, 8}, {300, 200, 4, 0.3, 20}, {300, 200, 8, 0.3, 20}}
	for _, x := range tables[:cases.Some(len(tables))] {
		in := thresholds(t, x.samples, x.columns, x.measurements, x.spread, x.noise)
		o := Options{Lambda: ratio.New(1, 80), Workers: 1}
		straight, _ := stopped(t, in, o, nil)
		for quarters := range int64(3) {
			o.Nodes = straight.Stats.Expanded * (quarters + 1) / 4
			before, file := stopped(t, in, o, nil)
			o.Nodes = 0
			after, _ := stopped(t, in, o, file)
			if before.Status == parallel.Optimal || after.Status != parallel.Optimal || after.Objective != straight.Objective {
				t.Fatalf("%+v: %v, then %v; %d, straight %d", x, before.Status, after.Status, after.Objective, straight.Objective)
			}
			share := float64(after.Stats.Expanded) / float64(straight.Stats.Expanded)
			t.Logf("%+v, %d: %d expanded, straight %d", x, quarters, after.Stats.Expanded, straight.Stats.Expanded)
			if share > 1.1 { // fewer are no fault: it knows the incumbent from the start
				t.Errorf("%+v: stopped after %d of %d and resumed, %d were expanded", x, before.Stats.Expanded, straight.Stats.Expanded,
					after.Stats.Expanded)
			}
		}
	}
}

// TestSeparationMark: what is saved of the accounts and of a trial is what a resumed search has.
func TestSeparationMark(t *testing.T) {
	testgen.NotRaced(t)
	knotty := testgen.Knotty(1)
	marks := func(in *instance.Instance, o Options) (before, after save.Mark) {
		_, file := stopped(t, in, o, nil)
		before = markOf(t, in, o, file)
		o.Nodes = 1
		_, file = stopped(t, in, o, file)
		return before, markOf(t, in, o, file)
	}
	before, after := marks(reduced(t, knotty), OnTrial(Options{Lambda: knotty.Lambda, Workers: 1, Nodes: 4}, 1000))
	if before.TrialWork != after.TrialWork || 0 >= after.Trial || after.Trial >= before.Trial || before.Trial >= before.TrialWork {
		t.Errorf("%d and then %d are left of a trial of %d, then %d", before.Trial, after.Trial, before.TrialWork, after.TrialWork)
	}
	before, after = marks(thresholds(t, 200, 120, 4, 0.3, 20), Options{Lambda: ratio.New(1, 80), Workers: 1, Nodes: 300})
	if before.Ahead == 0 || before.Ahead != after.Ahead || before.Share <= prune.LongShare || before.Share != after.Share {
		t.Errorf("before %+v, after %+v", before, after)
	}
	for i, n := range before.Numbers {
		if before.Numbers[0] == 0 || after.Numbers[i] < n {
			t.Errorf("number %d of the accounts was %d and is %d", i, n, after.Numbers[i])
		}
	}
}

func markOf(t *testing.T, in *instance.Instance, o Options, file []byte) save.Mark {
	t.Helper()
	p := laidOut(t, in, o)
	_, st, err := save.Open(bytes.NewReader(file), save.Head{Lambda: o.Lambda, MaxRules: o.MaxRules}, p)
	if err != nil {
		t.Fatal(err)
	}
	return st.Separation
}

// TestCutShort: a search that was interrupted while the root's LP ran decides anew about the
// separation bound. The file says nothing about it, as the LP was not solved.
func TestCutShort(t *testing.T) {
	testgen.NotRaced(t)
	in := thresholds(t, 200, 120, 4, 0.3, 20)
	o := Options{Lambda: ratio.New(1, 80), Workers: 1}
	straight, _ := stopped(t, in, o, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cut := o
	cut.ProgressEvery = 1
	var first float64
	cut.Progress = func(p Progress) {
		if first = cmp.Or(first, p.Bound); p.Bound > first {
			cancel()
		}
	}
	var b bytes.Buffer
	cut.Checkpoint = &save.Checkpoint{Save: func(write func(io.Writer) error) error { return write(&b) }}
	before, err := Solve(ctx, in, cut)
	if err != nil || before.Status != parallel.Interrupted {
		t.Fatalf("status %v, %v", before.Status, err)
	}
	if m := markOf(t, in, o, b.Bytes()); m != (save.Mark{}) {
		t.Errorf("after %d of %d prefixes the file says %+v", before.Stats.Expanded, straight.Stats.Expanded, m)
	}
	after, _ := stopped(t, in, o, b.Bytes())
	if after.Stats.Expanded > 2*straight.Stats.Expanded || after.Objective != straight.Objective {
		t.Errorf("%d expanded, straight %d; objectives %d and %d", after.Stats.Expanded, straight.Stats.Expanded, after.Objective,
			straight.Objective)
	}
}
