package dataset

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	store "parcorels/dataset/internal/column"
)

// manyNumbers is a column of n numbers of one of several kinds, some missing.
func manyNumbers(rng *rand.Rand, n int) *column {
	decimals := math.Pow(10, float64(rng.IntN(7)))
	kind, missing := rng.IntN(7), rng.IntN(2)*rng.IntN(20)
	c := &column{name: "x", kind: numericColumn, floats: &store.Floats{}}
	for range n {
		v := rng.NormFloat64()
		switch kind {
		case 0:
			v = rng.Float64() * 1000
		case 1:
			v = math.Exp(3 * v)
		case 2: // a number that many samples have
			if v = rng.Float64(); v < .3 {
				v = .3
			}
		case 3:
			v = float64(rng.IntN(1 << 20))
		case 4: // all but a few in one bucket
			if rng.IntN(5000) == 0 {
				v *= 1e9
			}
		case 5:
			v = math.Ldexp(v, rng.IntN(60)-30)
		}
		if v = math.Round(v*decimals) / decimals; rng.IntN(100) < missing {
			v = math.NaN()
		}
		c.floats.Add(v)
	}
	return c
}

// pairsAt are the levels on both sides of places.
func pairsAt(levels []level, at []int) (pairs [][2]float64) {
	for _, i := range at {
		pairs = append(pairs, [2]float64{levels[i].value, levels[i+1].value})
	}
	return pairs
}

// TestLevelsNear compares cuts made of some levels with those made of all.
func TestLevelsNear(t *testing.T) {
	spared := 0
	for seed := range seeds(120) {
		rng := rand.New(rand.NewPCG(seed, 31))
		n := leastSorted + rng.IntN(10_000)
		if seed%10 == 0 {
			n = 200_000 + rng.IntN(100_000)
		}
		c := manyNumbers(rng, n)
		b := newBuilder("t.csv", Options{Bins: 2 + rng.IntN(30)}, n)
		all := slices.Clone(b.levels(c))
		want := newCutValues(all, integers(all))
		want.begin = quantileCuts(all, want.integer, b.o.bins())
		for _, place := range placesOfCuts(all, want.begin) {
			want.atMost = append(want.atMost, threshold(all, place))
		}
		if got := b.quantiles(c); !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: cuts %+v, want %+v", seed, got, want)
		}
		near, integer, exact := b.levelsNear(c, wantedLevels{shares: fineBins})
		if exact || len(near) <= fineBins+1 {
			continue
		}
		spared++
		p, q := newPlaces(near, integer), newPlaces(all, want.integer)
		if got, want := pairsAt(near, p.fine()), pairsAt(all, q.fine()); !slices.Equal(got, want) || p.total != q.total {
			t.Fatalf("seed %d: %d places, want %d", seed, len(got), len(want))
		}
	}
	if spared == 0 && !testing.Short() {
		t.Error("all levels were sorted always")
	}
}
