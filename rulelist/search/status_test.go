package search_test

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
	"parcorels/rulelist/search"
)

// TestOptions: every option that cannot be is told by its name, and nothing is
// claimed beside the error.
func TestOptions(t *testing.T) {
	in, err := reduce(testgen.Small(1))
	if err != nil {
		t.Fatal(err)
	}
	valid := search.Options{Lambda: ratio.New(1, 100)}
	for want, spoil := range map[string]func(*search.Options){
		"Lambda":   func(o *search.Options) { o.Lambda = ratio.New(1, 1) },
		"Workers":  func(o *search.Options) { o.Workers = 5000 },
		"Policy":   func(o *search.Options) { o.Policy = 5 },
		"Symmetry": func(o *search.Options) { o.Symmetry = -1 },
		"Time":     func(o *search.Options) { o.Time = -1 },
		"Nodes":    func(o *search.Options) { o.Nodes = -1 },
		"Memory":   func(o *search.Options) { o.Memory = -1 },
		"Proof":    func(o *search.Options) { o.Proof = &search.Proof{} },
	} {
		o := valid
		spoil(&o)
		var bad *optionerr.Error
		r, err := search.Solve(t.Context(), in, o)
		if !errors.As(err, &bad) || bad.Field != want || r.Status != parallel.Unknown {
			t.Errorf("%v, status %v; want an error about %s", err, r.Status, want)
		}
	}
	var bad *optionerr.Error
	if _, err := problem.ParsePrunings("bound,luck"); !errors.As(err, &bad) || bad.Field != "Without" {
		t.Errorf("%v, want an error about Without", err)
	}
}

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
	resumed.Checkpoint = &save.Checkpoint{From: strings.NewReader("no checkpoint")}
	for _, c := range []struct {
		in   *instance.Instance
		o    search.Options
		want error
	}{
		{&overflowing, search.Options{Lambda: ratio.New(1, 1000)}, problem.ErrOverflow},
		{in, resumed, save.ErrCheckpoint},
	} {
		r, err := search.Solve(t.Context(), c.in, c.o)
		if !errors.Is(err, c.want) || r.Status != parallel.Unknown || r.Status.String() != "unknown" {
			t.Errorf("%v, status %v; want %v, unknown", err, r.Status, c.want)
		}
	}
}
