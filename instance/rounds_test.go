package instance

import (
	"math/rand/v2"
	"reflect"
	"runtime"
	"testing"

	"github.com/bits-and-blooms/bitset"
)

// TestRounds groups samples in as many rounds as there are shards and in fewer, on one processor and on three: of two
// classes and of four, light and heavy, and with each sample a point of its own. The points are those of one round.
func TestRounds(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for seed := range uint64(6) {
		rng := rand.New(rand.NewPCG(seed, 6))
		n, classes := 2*blockSamples+rng.IntN(blockSamples), 2+2*int(seed%2)
		columns := make([]*bitset.BitSet, []int{0, 14, 70}[seed/2])
		for a := range columns {
			columns[a] = bitset.New(uint(n))
			for i := range uint(n) {
				columns[a].SetTo(i, rng.IntN(4) == 0)
			}
		}
		of, weights := make([]uint16, n), make([]int64, n)
		for i := range n {
			of[i], weights[i] = uint16(rng.IntN(classes)), 1+rng.Int64N(5)
			if seed%3 == 2 {
				weights[i] <<= rng.IntN(40)
			}
		}
		l := labelling{of: of, classes: classes}
		for _, separate := range []bool{false, true} {
			var points *Points
			var in *Instance
			for i, most := range []int64{0, 1 << 15, 1 << 17} {
				runtime.GOMAXPROCS(1 + 2*int(seed+uint64(i))%4)
				grouped := func() *grouping {
					g := newGrouping(len(columns), classes)
					g.most, g.separate = most, separate
					return g
				}
				p, err := pointsOf(grouped(), len(columns), columns, l, weights, n)
				if err != nil {
					t.Fatal(err)
				}
				p = p.WithColumns()
				reduced, err := reduce(grouped(), len(columns), columns, l, weights, n)
				if err != nil {
					t.Fatal(err)
				}
				if points == nil {
					points, in = p, reduced
				}
				if !reflect.DeepEqual(p, points) || !reflect.DeepEqual(reduced, in) {
					t.Fatalf("seed %d: %d points, of at most %d bytes a round, are others", seed, p.Count, most)
				}
			}
		}
	}
}

// TestPlaceParts writes columns part by part, of points in any order and of some that have no place.
func TestPlaceParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 7))
	n := 700
	columns, first := make([][]uint64, 90), make([]int32, 0, n)
	for a := range columns {
		columns[a] = make([]uint64, (n+63)/64)
		for i := range n {
			columns[a][i/64] |= uint64(rng.IntN(2)) << (i % 64)
		}
	}
	for i := range n {
		if rng.IntN(4) > 0 {
			first = append(first, int32(i))
		}
	}
	r := &reread{columns: columns, width: 2, ranks: rankFirsts(n, 1, func(int) []int32 { return first })}
	at, want := make([]int32, len(first)), newColumns(len(columns), 9)
	for p, place := range rng.Perm(len(at)) {
		if at[p] = int32(place); place%7 == 0 {
			at[p] = -1
			continue
		}
		for a, c := range columns {
			want[a][place/64] |= c[first[p]/64] >> (first[p] % 64) & 1 << (place % 64)
		}
	}
	for _, parts := range []int{1, 2, 4} {
		got := newColumns(len(columns), 9)
		if r.placeParts(got, at, [][]int{{0}, {6, 0}, {0, 1, 1, 5}}[parts/2], parts); !reflect.DeepEqual(got, want) {
			t.Errorf("columns of %d parts are others", parts)
		}
	}
}
