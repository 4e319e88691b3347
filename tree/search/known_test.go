package search

import (
	"bytes"
	"context"
	"encoding/csv"
	"math/big"
	"strings"
	"testing"

	"github.com/bits-and-blooms/bitset"

	"parcorels/examples"
	"parcorels/instance"
	"parcorels/internal/testing/given"
	"parcorels/internal/testing/must"
	"parcorels/internal/testing/testgen"
	"parcorels/ratio"
	"parcorels/rules"
)

// known is an optimum that other solvers have certified.
type known struct {
	file, lambda, objective string
	leaves                  int
}

var knownTrees = []known{
	{"monk1-train", ".01", ".0800000", 8},
	{"monk1-train", ".001", ".0080000", 8},
	{"monk2-train", ".01", ".2650888", 20},
	{"monk3-train", ".01", ".1555738", 9},
	{"compas-binary", ".01", ".3748675", 3},
	{"compas-binary", ".005", ".3559686", 5},
	{"compas-binary", ".001", ".3349282", 7},
	{"car-evaluation", ".01", ".1452315", 7},
	{"car-evaluation", ".005", ".1063426", 9},
	{"car-evaluation", ".001", ".0472037", 31},
	{"tic-tac-toe", ".01", ".2507516", 9},
	{"tic-tac-toe", ".005", ".1542797", 20},
	{"tic-tac-toe", ".0025", ".0917015", 30},
	{"tic-tac-toe", ".001", ".0430000", 43},
	{"fico_binary", ".01", ".3240444", 2},
	{"fico_binary", ".005", ".3086509", 4},
	{"fico_binary", ".0025", ".2979142", 6},
	{"fico_binary", ".001", ".2873170", 11},
	{"balance-scale", ".001", ".0794000", 1},
}

// TestKnown needs the data of the papers, in the folder that PARCORELS_DATA names.
func TestKnown(t *testing.T) {
	for _, k := range knownTrees {
		t.Run(k.file+" "+k.lambda, func(t *testing.T) {
			k.check(t, loadBinary(t, k.file), 1)
		})
	}
}

func loadBinary(t testing.TB, file string) *instance.Points {
	t.Helper()
	return testgen.Points(t, testgen.Published(t, rules.Options{MaxCard: 1, MinSupport: ratio.New(0, 1)}, "binary", file+".csv.gz"))
}

func (k known) check(t *testing.T, p *instance.Points, workers int) {
	t.Helper()
	lambda := must.Get(ratio.Parse(k.lambda))(t)
	r := must.Get(Solve(context.Background(), p, Options{Lambda: lambda, Workers: workers}))(t)
	digits := len(strings.TrimPrefix(k.objective, "."))
	objective := strings.TrimPrefix(big.NewRat(r.Objective, r.Scale).FloatString(digits), "0")
	if r.Status.String() != "optimal" || objective != k.objective || r.Leaves != k.leaves || r.LowerBound != r.Objective {
		t.Errorf("%v: %s with %d leaves, bound %d; the optimum is %s with %d", r.Status, objective, r.Leaves, r.LowerBound, k.objective,
			k.leaves)
	}
	t.Logf("%d features, %d points, %d counts (%d to extract), %d sets, %v, cache %d KiB",
		p.Antecedents, r.Stats.Points, r.Stats.Counted, r.Stats.Extract, r.Stats.Sets, r.Stats.Search, r.Stats.PeakBytes>>10)
}

// TestKnownBoards takes the boards of tic-tac-toe, with a feature for x and one
// for o on every square: the table that is published as tic-tac-toe.
func TestKnownBoards(t *testing.T) {
	p := boards(t)
	for _, workers := range []int{1, 4} {
		known{"", ".01", ".2507516", 9}.check(t, p, workers)
		known{"", ".005", ".1542797", 20}.check(t, p, workers)
	}
}

func boards(t testing.TB) *instance.Points {
	t.Helper()
	text := must.Get(examples.Table("tictactoe"))(t)
	rows := must.Get(csv.NewReader(bytes.NewReader(text)).ReadAll())(t)
	rows = rows[1:]
	labels := bitset.New(uint(len(rows)))
	columns := make([]*bitset.BitSet, 18)
	for c := range columns {
		columns[c] = bitset.New(uint(len(rows)))
		for i, row := range rows {
			columns[c].SetTo(uint(i), row[c/2] == []string{"o", "x"}[c%2])
		}
	}
	for i, row := range rows {
		labels.SetTo(uint(i), row[9] == "positive")
	}
	return testgen.Points(t, given.Set(columns, labels, nil, len(rows)))
}
