package crossval

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"parcorels/family"
	"parcorels/internal/testing/must"
	"parcorels/ratio"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestShare: never more workers than there are, every job once, and all
// workers at work where they are more than the jobs.
func TestShare(t *testing.T) {
	for _, c := range []struct{ jobs, workers int }{{1, 1}, {30, 1}, {30, 4}, {7, 7}} {
		jobs := make([]job, c.jobs)
		var busy, made atomic.Int64
		err := share(context.Background(), jobs, c.workers, func(_ context.Context, _ job, workers int) error {
			if now := busy.Add(int64(workers)); now > int64(c.workers) {
				t.Errorf("%d workers of %d are busy", now, c.workers)
			}
			made.Add(1)
			busy.Add(-int64(workers))
			return nil
		})
		if err != nil || made.Load() != int64(c.jobs) {
			t.Errorf("%d of %d jobs made, %v", made.Load(), c.jobs, err)
		}
	}
	var all sync.WaitGroup
	var busy atomic.Int64
	all.Add(3)
	_ = share(context.Background(), make([]job, 3), 8, func(_ context.Context, _ job, workers int) error {
		busy.Add(int64(workers))
		all.Done()
		all.Wait() // all jobs run now
		return nil
	})
	if busy.Load() != 8 {
		t.Errorf("three jobs had %d workers of 8", busy.Load())
	}
}

func TestShareStops(t *testing.T) {
	bad := errors.New("bad")
	cancelled := 0
	err := share(context.Background(), make([]job, 50), 1, func(ctx context.Context, _ job, _ int) error {
		if ctx.Err() != nil {
			cancelled++
			return nil
		}
		return bad
	})
	if !errors.Is(err, bad) || cancelled != 49 {
		t.Errorf("error %v, %d jobs of 49 were told", err, cancelled)
	}
}

// TestInterrupted: what was done stays, nothing else is there.
func TestInterrupted(t *testing.T) {
	d := random(rand.New(rand.NewPCG(4, 4)), 60, 5).data(t)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	o := options(ratio.New(1, 20), ratio.New(1, 50))
	o.Workers = 1
	o.Done = func(f *Fit, done int) {
		if done == 3 {
			cancel()
		}
	}
	r, err := Run(ctx, d, o)
	if err != nil || r.Complete() {
		t.Fatalf("complete %v, %v", r.Complete(), err)
	}
	s := r.Summaries()
	if s[0].Done != 1 || s[1].Done != 2 || r.Fits[0][1] != nil || r.Fits[1][1] == nil { // the smaller λ comes first
		t.Errorf("%d and %d fits are done, want 1 and 2", s[0].Done, s[1].Done)
	}
	if _, ok := r.Pick(Best); ok {
		t.Error("λ is picked without all fits")
	}
}

// late is a context that is cancelled, and seems not to be at the first look.
type late struct {
	context.Context
	looks int
}

func (l *late) Err() error {
	if l.looks++; l.looks == 1 {
		return nil
	}
	return l.Context.Err()
}

// TestInterruptedSearch: a list that the search was not done with is no fit.
func TestInterruptedSearch(t *testing.T) {
	d := random(rand.New(rand.NewPCG(8, 8)), 300, 10).data(t)
	o := must.Get(options(ratio.New(1, 1000)).withDefaults())(t)
	o.Mining.MaxCard = 2 // too hard to be proved at once
	folds := must.Get(Stratify(d, o.Folds, 1))(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if fit, err := newPart(d, folds, 0, o).fit(&late{Context: ctx}, o.Lambdas[0], 1); fit != nil || err != nil {
		t.Errorf("%v, %v", fit, err)
	}
}

// TestLimits: a search that a limit ended is not called optimal.
func TestLimits(t *testing.T) {
	d := random(rand.New(rand.NewPCG(8, 8)), 300, 10).data(t)
	o := options(ratio.New(1, 300))
	o.Mining.MaxCard, o.Nodes = 2, 1
	r := must.Get(Run(context.Background(), d, o))(t)
	if s := r.Summaries()[0]; s.Unproven != o.Folds || s.Done != o.Folds {
		t.Errorf("%d of %d fits are unproven, want all %d", s.Unproven, s.Done, o.Folds)
	}
}

// TestCheck: what a model claims to capture is compared with the samples.
func TestCheck(t *testing.T) {
	d := random(rand.New(rand.NewPCG(8, 8)), 60, 4).data(t)
	o := options(ratio.New(1, 30))
	o.Folds = 3
	r := must.Get(Run(context.Background(), d, o))(t)
	p := newPart(d, r.Folds, 0, r.Options)
	if p.make(t.Context()); p.err != nil {
		t.Fatal(p.err)
	}
	l := must.Get(o.Models.fit(context.Background(), p.of, o.Lambdas[0], Limits{Workers: 1}))(t)
	if err := p.check(l); err != nil {
		t.Error(err)
	}
	problem := must.Get(family.ProblemOf(p.set, family.Reading{}, family.Options{}))(t)
	if err := p.check(family.NewModel(l.Model, problem, make([][]int, len(l.Antecedents())))); err == nil {
		t.Error("a model that captures other samples passes")
	}
}

func TestRunRefuses(t *testing.T) {
	d := random(rand.New(rand.NewPCG(8, 8)), 60, 4).data(t)
	tenth := ratio.New(1, 10)
	for want, spoil := range map[string]func(*Options){
		"needs a λ":               func(o *Options) { o.Lambdas = nil },
		"λ = 0.1 is given twice":  func(o *Options) { o.Lambdas = []ratio.Ratio{tenth, tenth} },
		"option Lambda is 1":      func(o *Options) { o.Lambdas = []ratio.Ratio{ratio.New(1, 1)} },
		"1 folds, expected":       func(o *Options) { o.Folds = 1 },
		"too few for one in each": func(o *Options) { o.Folds = 61 },
		"option MaxCard is -1":    func(o *Options) { o.Mining.MaxCard = -1 },
		"a test part of NaN":      func(o *Options) { o.Holdout = math.NaN() },
		"1 groups, too few":       func(o *Options) { o.Groups = make([]int, 60) },
	} {
		o := options(tenth)
		spoil(&o)
		if _, err := Run(context.Background(), d, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// TestFewOfAClass: a class of fewer samples than folds is missing from some, and what is
// measured of it is of the others.
func TestFewOfAClass(t *testing.T) {
	d := table{
		features: [][]bool{{true}, {true}, {true}, {false}, {false}, {false}, {false}, {false}, {false}, {false}, {false}, {false}},
		labels:   []bool{true, true, true, false, false, false, false, false, false, false, false, false},
	}.data(t)
	r, err := Run(t.Context(), d, Options{Lambdas: []ratio.Ratio{ratio.New(1, 100)}, Folds: 10, Seed: 1})
	if err != nil || !r.Complete() {
		t.Fatal(err)
	}
	if m := r.Summaries()[0].Measured; m.Accuracy.Mean != 1 || m.Accuracy.Values != 10 || m.Recall.Values != 3 {
		t.Errorf("accuracy %+v, recall %+v", m.Accuracy, m.Recall)
	}
}
