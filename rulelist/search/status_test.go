package search_test

import (
	"errors"
	"strings"
	"testing"

	"parcorels/instance"
	"parcorels/internal/testgen"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/rulelist/search"
)

// TestErrorClaimsNothing asks that no result beside an error says what was
// proved, whatever the error.
func TestErrorClaimsNothing(t *testing.T) {
	in, err := reduce(testgen.Small(1))
	if err != nil {
		t.Fatal(err)
	}
	overflowing := *in
	overflowing.Total = 1 << 59
	valid := search.Options{Lambda: ratio.New(1, 100)}
	resumed := valid
	resumed.Checkpoint = &search.Checkpoint{From: strings.NewReader("no checkpoint")}
	for _, c := range []struct {
		in   *instance.Instance
		o    search.Options
		want error
	}{
		{in, search.Options{}, search.ErrOptions},
		{&overflowing, search.Options{Lambda: ratio.New(1, 1000)}, search.ErrOverflow},
		{in, resumed, search.ErrCheckpoint},
	} {
		r, err := search.Solve(t.Context(), c.in, c.o)
		if !errors.Is(err, c.want) || r.Status != parallel.Unknown || r.Status.String() != "unknown" {
			t.Errorf("%v, status %v; want %v, unknown", err, r.Status, c.want)
		}
	}
}
