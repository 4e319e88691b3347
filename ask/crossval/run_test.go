package crossval

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"parcorels/dataset"
	"parcorels/family"
	"parcorels/internal/testing/must"
	"parcorels/ratio"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

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

// TestInterruptedSearch: a list that the search was not done with is no fit.
func TestInterruptedSearch(t *testing.T) {
	d := random(rand.New(rand.NewPCG(8, 8)), 300, 10).data(t)
	o := must.Get(options(ratio.New(1, 1000)).withDefaults())(t)
	o.MaxCard = 2 // too hard to be proved at once
	folds := must.Get(Stratify(d, o.Folds, 1))(t)
	h := must.Get(keepBack(t.Context(), d, folds[0], o.Options))(t)
	p := must.Get(family.ProblemOf(h.Set, family.Reading{}, o.Options))(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if fit, err := h.fit(ctx, p, o, o.Lambdas[0]); fit != nil || err != nil {
		t.Errorf("%v, %v", fit, err)
	}
}

// TestLimits: a search that a limit ended is not called optimal.
func TestLimits(t *testing.T) {
	d := random(rand.New(rand.NewPCG(8, 8)), 300, 10).data(t)
	o := options(ratio.New(1, 300))
	o.MaxCard, o.Nodes = 2, 1
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
	h := must.Get(keepBack(t.Context(), d, r.Folds[0], o.Options))(t)
	problem := must.Get(family.ProblemOf(h.Set, family.Reading{}, o.Options))(t)
	l := must.Get(o.fit(t.Context(), problem, o.Lambdas[0]))(t)
	if err := newJudge(l, h).check(); err != nil {
		t.Error(err)
	}
	if err := newJudge(family.NewModel(l.Model, problem, make([][]int, len(l.Antecedents()))), h).check(); err == nil {
		t.Error("a model that captures other samples passes")
	}
}

// TestWeightsThatCount: a sample whose weight is a number of rows is so many rows in what is measured.
func TestWeightsThatCount(t *testing.T) {
	text, rows := "a,b,w,y\n", 0
	for i := range 60 {
		text += fmt.Sprintf("%d,%d,%d,%d\n", i%2, i%3/2, 1+i%4, i/2%2)
		rows += 1 + i%4
	}
	d := must.Get(dataset.ReadFrom(strings.NewReader(text), "t.csv", dataset.Options{Weight: "w"}))(t)
	r := must.Get(Run(t.Context(), d, options(ratio.New(1, 20))))(t)
	for _, f := range r.Fits[0] {
		rows -= int(f.Measures.Rows)
	}
	if rows != 0 {
		t.Errorf("%d rows are not in a fold", rows)
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
		"option MaxCard is -1":    func(o *Options) { o.MaxCard = -1 },
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
