package instance

import (
	"math/rand/v2"
	"parcorels/internal/testing/cases"
	"testing"
)

// TestRowsReduce compares instances of changed weights, of few different costs and of
// many, with Points.Reduce, and their order with its definition.
func TestRowsReduce(t *testing.T) {
	for seed := range uint64(cases.Some(100)) {
		r := rand.New(rand.NewPCG(seed, 9))
		points, err := givenPoints(drawSamples(r, 1+r.IntN(80), 1+r.IntN(400)))
		if err != nil {
			t.Fatal(err)
		}
		rows, err := points.Rows()
		if err != nil {
			t.Fatal(err)
		}
		most := []int64{2, 1000}[seed%2]
		other := *points
		other.Weights = [][]int64{make([]int64, 64*points.Words), make([]int64, 64*points.Words)}
		for c := range other.Weights {
			for i := range points.Count {
				other.Weights[c][i] = r.Int64N(most)
			}
		}
		got := rows.Reduce(other.Weights[1], other.Weights[0])
		sameInstance(t, got, other.Reduce())
		for i := 1; i < 64*got.Words; i++ {
			if i != 64*got.Words1 && got.Costs[i] > got.Costs[i-1] {
				t.Fatalf("seed %d: point %d costs %d, the one before %d", seed, i, got.Costs[i], got.Costs[i-1])
			}
		}
	}
}

func TestRowsAreOfTwoClasses(t *testing.T) {
	if _, err := (&Points{Classes: 3}).Rows(); err == nil {
		t.Error("points of 3 classes have rows")
	}
}
