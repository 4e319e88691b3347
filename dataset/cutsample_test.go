package dataset

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parcorels/internal/cases"
)

// TestSampler draws from classes of many sizes and weights: each class weighs what it did up to
// an interval, rare classes are whole, and no class has more than its share.
func TestSampler(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 21))
		n := 1 + rng.IntN(5000)
		g := &guessing{b: newBuilder("", Options{}, nil, n), k: 2 + rng.IntN(4)}
		weighted, rare := rng.IntN(2) == 0, rng.IntN(2) == 0
		before, rows := make([]int64, g.k), make([]int, g.k)
		for range n {
			c := rng.IntN(g.k)
			if rare && rng.IntN(100) > 0 {
				c = 0
			}
			w := int64(1)
			if weighted {
				w = 1 + rng.Int64N(1<<rng.IntN(20))
				g.weights = append(g.weights, w)
			}
			g.classes = append(g.classes, uint8(c))
			before[c] += w
			rows[c]++
		}
		most := g.k + rng.IntN(2000)
		old := g.samplers(most)
		g.sample(most)
		if len(g.classes) > max(most, 0)+g.k || n <= most && len(g.classes) != n {
			t.Fatalf("seed %d: %d samples of %d rows, at most %d asked for", seed, len(g.classes), n, most)
		}
		if g.weights != nil && len(g.weights) != len(g.classes) || g.b.n != len(g.classes) {
			t.Fatalf("seed %d: %d samples, %d weights, %d rows", seed, len(g.classes), len(g.weights), g.b.n)
		}
		if g.weights == nil {
			continue
		}
		after, drawn := make([]int64, g.k), make([]int, g.k)
		for i, c := range g.classes {
			after[c] += g.weight(i)
			drawn[c]++
		}
		for c := range g.k {
			if n > most && !old[c].whole && max(after[c]-before[c], before[c]-after[c]) > int64(old[c].interval) {
				t.Fatalf("seed %d: class %d weighs %d, %d in the sample of intervals %d", seed, c, before[c], after[c], old[c].interval)
			}
			if whole := rows[c] <= most/g.k; whole && drawn[c] != rows[c] {
				t.Fatalf("seed %d: %d of %d rows of a rare class are drawn", seed, drawn[c], rows[c])
			}
		}
	}
}

// TestLargeTable cuts a table of more rows than are looked at: where a rare class begins, and each time
// the same. Numbers that are integers in the sample alone are none.
func TestLargeTable(t *testing.T) {
	if testing.Short() {
		t.Skip("a million rows")
	}
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 21))
	var text bytes.Buffer
	text.WriteString("x,noise,whole,y\n")
	const rows = cutSamples + cutSamples/4
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
		d, err := ReadFrom(strings.NewReader(text.String()), "t.csv", Options{Numeric: Intervals, CutsBy: ByLabel})
		if err != nil {
			t.Fatal(err)
		}
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
	for _, begin := range []string{"x ≥ 99", "whole ≥ 99", "whole in ["} { // [ begins no interval of integers
		if !slices.ContainsFunc(first, func(name string) bool { return strings.HasPrefix(name, begin) }) {
			t.Errorf("no feature begins with %s: %v", begin, first)
		}
	}
}
