package search

import (
	"errors"
	"strings"
	"testing"

	"parcorels/instance"
	"parcorels/internal/testing/testgen"
	"parcorels/optionerr"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/save"
)

// TestRefused: the refusals that package family's test of every search leaves out.
func TestRefused(t *testing.T) {
	var bad *optionerr.Error
	for _, end := range []int64{0, 1} {
		if err := (Options{Lambda: ratio.New(end, 1)}).Validate(); !errors.As(err, &bad) || bad.Field != "Lambda" {
			t.Errorf("%v, want an error about Lambda", err)
		}
	}
	if _, err := problem.ParsePrunings("bound,luck"); !errors.As(err, &bad) || bad.Field != "Without" {
		t.Errorf("%v, want an error about Without", err)
	}
}

// TestErrorClaimsNothing asks that no result beside an error says what was
// proved, whatever the error.
func TestErrorClaimsNothing(t *testing.T) {
	in := reduced(t, testgen.Small(1))
	overflowing := *in
	overflowing.Total = 1 << 59
	valid := Options{Lambda: ratio.New(1, 100)}
	resumed := valid
	resumed.Checkpoint = &save.Checkpoint{From: strings.NewReader("no checkpoint")}
	for _, c := range []struct {
		in   *instance.Instance
		o    Options
		want error
	}{
		{&overflowing, Options{Lambda: ratio.New(1, 1000)}, problem.ErrOverflow},
		{in, resumed, save.ErrCheckpoint},
	} {
		r, err := Solve(t.Context(), c.in, c.o)
		if !errors.Is(err, c.want) || r.Status != parallel.Unknown || r.Status.String() != "unknown" {
			t.Errorf("%v, status %v; want %v, unknown", err, r.Status, c.want)
		}
	}
}
