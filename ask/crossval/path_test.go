package crossval

import (
	"context"
	"math/big"
	"testing"
	"time"

	askpath "parcorels/ask/path"
	"parcorels/family"
	"parcorels/internal/testing/must"
	"parcorels/ratio"
)

// TestPathStopped keeps the fits of a path that were done when somebody stopped it.
func TestPathStopped(t *testing.T) {
	data := must.Get(family.Read("../../examples/monk1.csv", family.Reading{KeepColumns: true}))(t)
	o := family.Options{MaxCard: 1, Workers: 1}
	p := must.Get(family.NewProblem(t.Context(), data, o))(t)
	path, err := askpath.Ask(t.Context(), p, askpath.Options{Options: o, Least: ratio.New(1, 50)})
	if err != nil || len(path.Vertices) < 2 {
		t.Fatalf("%d vertices: %v", len(path.Vertices), err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	folds := 4
	report := must.Get(OfPath(ctx, data, path, o, time.Now(), func(_ *Fit, done int) {
		if done == folds*len(path.Vertices) {
			stop()
		}
	}))(t)
	for i, s := range report.Summaries() {
		if s.Done != folds {
			t.Errorf("vertex %d has %d folds", i, s.Done)
		}
	}
}

// TestInside: the λ of an interval of a path is in it, also where the interval is narrow.
func TestInside(t *testing.T) {
	low := big.NewRat(1, 3)
	for _, width := range []*big.Rat{big.NewRat(1, 10), big.NewRat(1, 1<<30), big.NewRat(1, 1<<50)} {
		high := new(big.Rat).Add(low, width)
		l := Inside(low, high)
		if x := big.NewRat(l.Num, l.Den); x.Cmp(low) < 0 || x.Cmp(high) > 0 {
			t.Errorf("%v is not between %v and %v", l, low, high)
		}
	}
	if l := Inside(big.NewRat(3, 4), nil); l.Float() < .75 || l.Float() > 1 {
		t.Errorf("%v is not between 3/4 and 1", l)
	}
}
