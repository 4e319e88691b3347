package search_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/bits-and-blooms/bitset"

	"parcorels/instance"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/rulelist/search"
)

// BenchmarkStop measures how long after its end a search goes on: after the
// time limit, or after the context was cancelled, at different moments of it.
// The promise is 1% of the limit and 100 ms. The instances are noise, which no
// search of these times gets far with: as many distinct points as samples.
//
//	go test ./parallel -run - -bench Stop -benchtime 5x
func BenchmarkStop(b *testing.B) {
	for _, size := range []struct{ points, antecedents int }{{566_839, 64}, {3_000_000, 128}} {
		if testing.Short() && size.points > 1_000_000 {
			continue
		}
		b.Run(fmt.Sprintf("points=%d/antecedents=%d", size.points, size.antecedents), func(b *testing.B) {
			in := noise(b, size.points, size.antecedents)
			for _, workers := range []int{1, 8} {
				for _, limit := range []time.Duration{20 * time.Millisecond, 500 * time.Millisecond, 3 * time.Second} {
					b.Run(fmt.Sprintf("workers=%d/limit=%v", workers, limit), func(b *testing.B) { stopLate(b, in, workers, limit) })
				}
			}
		})
	}
}

func stopLate(b *testing.B, in *instance.Instance, workers int, limit time.Duration) {
	o := search.Options{Lambda: ratio.New(1, 100_000), Workers: workers, Memory: 1 << 30}
	var byTime, byContext time.Duration
	for b.Loop() {
		start := time.Now()
		o.Time = limit
		r, err := search.Solve(b.Context(), in, o)
		byTime = max(byTime, time.Since(start)-limit)
		if err != nil || r.Status != parallel.TimeLimit {
			b.Fatalf("status %v, %v", r.Status, err)
		}
		ctx, cancel := context.WithCancel(b.Context())
		var cancelled time.Time
		time.AfterFunc(limit, func() { cancelled = time.Now(); cancel() })
		o.Time = 0
		r, err = search.Solve(ctx, in, o)
		byContext = max(byContext, time.Since(cancelled))
		if err != nil || r.Status != parallel.Interrupted {
			b.Fatalf("status %v, %v", r.Status, err)
		}
	}
	b.ReportMetric(float64(byTime.Microseconds())/1e3, "ms-late-by-limit")
	b.ReportMetric(float64(byContext.Microseconds())/1e3, "ms-late-by-context")
}

// noise returns an instance of random cells and labels.
func noise(b *testing.B, points, antecedents int) *instance.Instance {
	b.Helper()
	rng := rand.New(rand.NewPCG(1, uint64(points)))
	words := func(draws int) *bitset.BitSet {
		w := make([]uint64, (points+63)/64)
		for i := range w {
			for w[i] = rng.Uint64(); draws > 1 && rng.IntN(draws) > 0; {
				w[i] &= rng.Uint64()
			}
		}
		if rest := points % 64; rest > 0 {
			w[len(w)-1] &= 1<<rest - 1
		}
		return bitset.FromWithLength(uint(points), w)
	}
	columns := make([]*bitset.BitSet, antecedents)
	for i := range columns {
		columns[i] = words(1 + i%3)
	}
	in, err := instance.New(columns, words(1), nil, points)
	if err != nil {
		b.Fatal(err)
	}
	return in
}
