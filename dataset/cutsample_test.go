package dataset

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/must"
)

// TestLargeTable cuts a table of more rows than are looked at: where a rare class begins, and each time
// the same.
func TestLargeTable(t *testing.T) {
	if testing.Short() {
		t.Skip("a million rows")
	}
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 21))
	var text bytes.Buffer
	text.WriteString("x,noise,whole,y\n")
	const rows = 1_250_000 // a quarter more than are looked at
	for i := range rows {
		x, whole, fraction, y := rng.IntN(10_000), rng.IntN(10_000), "", 0
		if x >= 9_900 && rng.IntN(4) > 0 || whole >= 9_900 && rng.IntN(2) > 0 {
			y = 1
		}
		if i == rows/3 {
			fraction = ".5"
		}
		fmt.Fprintf(&text, "%d.5,%d,%d%s,%d\n", x, rng.IntN(10_000), whole, fraction, y)
	}
	var first []string
	for range max(1, cases.Some(2)) {
		d := must.Get(ReadFrom(strings.NewReader(text.String()), "t.csv", Options{}))(t)
		var names []string
		for _, f := range d.Features {
			names = append(names, f.Name)
		}
		if first == nil {
			first = names
		}
		if !slices.Equal(first, names) {
			t.Fatalf("features %v, then %v", first, names)
		}
	}
	for _, begin := range []string{"x > 99", "whole > 99"} {
		if !slices.ContainsFunc(first, func(name string) bool { return strings.HasPrefix(name, begin) }) {
			t.Errorf("no feature begins with %s: %v", begin, first)
		}
	}
}
