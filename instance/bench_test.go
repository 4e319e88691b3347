package instance

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/bits-and-blooms/bitset"
)

// BenchmarkNew reduces 600,000 samples by 50 columns and their 1,225 pairs,
// once with few distinct points and once with nearly all of them distinct.
func BenchmarkNew(b *testing.B) {
	const n, features = 600_000, 50
	for _, distinct := range []int{1 << 10, 1 << 30} {
		columns, labels := table(n, features, distinct)
		b.Run(fmt.Sprintf("keys=2^%d", bits.Len(uint(distinct))-1), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				in, err := New(columns, labels, nil, n)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(in.Points), "points")
			}
		})
	}
}

// table makes columns of random features, drawn from at most distinct keys,
// and of all pairs of them.
func table(n, features, distinct int) (columns []*bitset.BitSet, labels *bitset.BitSet) {
	rng := rand.New(rand.NewPCG(7, 7))
	labels = bitset.New(uint(n))
	for range features {
		columns = append(columns, bitset.New(uint(n)))
	}
	for i := range uint(n) {
		key := rand.New(rand.NewPCG(uint64(rng.IntN(distinct)), 8)).Uint64()
		for a := range features {
			columns[a].SetTo(i, key>>a&1 == 1)
		}
		labels.SetTo(i, rng.IntN(3) == 0)
	}
	for a := range features {
		for b := range a {
			columns = append(columns, columns[a].Intersection(columns[b]))
		}
	}
	return columns, labels
}
