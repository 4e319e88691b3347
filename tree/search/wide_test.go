package search

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/bits-and-blooms/bitset"

	"parcorels/internal/testing/given"
	"parcorels/internal/testing/testgen"
	"parcorels/parallel"
	"parcorels/ratio"
)

// TestManyFeatures: among 4,000 features two make the class, and the memory that
// finding them takes does not grow with the eight million pairs.
func TestManyFeatures(t *testing.T) {
	const features, rows = 4000, 200
	rng := rand.New(rand.NewPCG(8, 8))
	columns := make([]*bitset.BitSet, features)
	for f := range columns {
		columns[f] = bitset.New(rows)
		for i := range uint(rows) {
			columns[f].SetTo(i, rng.IntN(2) == 1)
		}
	}
	p := testgen.Points(t, given.Set(columns, columns[1234].SymmetricDifference(columns[3210]), nil, rows))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r, err := Solve(t.Context(), p, Options{Lambda: ratio.New(1, 100), Depth: 2, Workers: 1})
	runtime.ReadMemStats(&after)
	if err != nil || r.Status != parallel.Optimal || !slices.Equal(r.Tree, Tree{1234, 3210, Leaf(0), Leaf(1), 3210, Leaf(1), Leaf(0)}) {
		t.Errorf("%v, %+v", err, r)
	}
	if bytes := after.TotalAlloc - before.TotalAlloc; bytes > features*1000 {
		t.Errorf("%d bytes allocated, %d a feature", bytes, bytes/features)
	}
}
