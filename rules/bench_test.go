package rules

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
)

// BenchmarkMine mines 600,000 samples by 50 features: features and pairs,
// with and without negations, with and without weights.
func BenchmarkMine(b *testing.B) {
	const n, features = 600_000, 50
	d := wideData(features, n)
	rng := rand.New(rand.NewPCG(1, 9))
	weights := make([]int64, n)
	for i := range weights {
		weights[i] = 1 + rng.Int64N(1000)
	}
	for _, negations := range []bool{false, true} {
		for _, weighted := range []bool{false, true} {
			b.Run(fmt.Sprintf("negations=%v/weights=%v", negations, weighted), func(b *testing.B) {
				d.Weights = nil
				if weighted {
					d.Weights = weights
				}
				b.ReportAllocs()
				for b.Loop() {
					s, err := Mine(context.Background(), d, Options{Negations: negations})
					if err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(float64(len(s.Antecedents)), "antecedents")
				}
			})
		}
	}
}
