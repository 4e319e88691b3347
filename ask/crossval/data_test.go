package crossval

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"parcorels/dataset"
	"parcorels/family"
	"parcorels/internal/testing/must"
	"parcorels/ratio"

	"github.com/bits-and-blooms/bitset"
)

// table is a small data set as a test writes it down, and counts on it.
type table struct {
	features [][]bool // by sample, then by feature
	labels   []bool
}

// random returns a table whose label follows the first two features, mostly.
func random(rng *rand.Rand, samples, features int) table {
	var t table
	for range samples {
		row := make([]bool, features)
		for j := range row {
			row[j] = rng.IntN(2) == 1
		}
		label := row[0] && row[1]
		if rng.IntN(5) == 0 {
			label = !label
		}
		t.features, t.labels = append(t.features, row), append(t.labels, label)
	}
	return t
}

// data reads the table as package dataset does.
func (tb table) data(t *testing.T) *dataset.Dataset {
	t.Helper()
	var b strings.Builder
	for j := range tb.features[0] {
		fmt.Fprintf(&b, "x%d,", j)
	}
	b.WriteString("class\n")
	for i, row := range tb.features {
		for _, x := range row {
			fmt.Fprintf(&b, "%d,", class(x))
		}
		fmt.Fprintf(&b, "%d\n", class(tb.labels[i]))
	}
	d := must.Get(dataset.ReadFrom(strings.NewReader(b.String()), "table.csv", dataset.Options{}))(t)
	return d
}

// options are those of most tests: single features, whatever they capture.
func options(lambdas ...ratio.Ratio) Options {
	return Options{Lambdas: lambdas, Folds: 5, Seed: 1, Options: family.Options{MaxCard: 1, MinSupport: "0"}}
}

func rows(n int, members ...uint) *bitset.BitSet {
	b := bitset.New(uint(n))
	for _, m := range members {
		b.Set(m)
	}
	return b
}

func everything(n int) *bitset.BitSet { return bitset.New(uint(n)).FlipRange(0, uint(n)) }

func class(one bool) int {
	if one {
		return 1
	}
	return 0
}

// confusion is the weight of samples by class, then by the class predicted.
type confusion [][]float64

func newConfusion(classes int) confusion {
	c := make(confusion, classes)
	for a := range c {
		c[a] = make([]float64, classes)
	}
	return c
}

// same reports whether two confusions are equal.
func same(a, b confusion) bool { return fmt.Sprint(a) == fmt.Sprint(b) }
