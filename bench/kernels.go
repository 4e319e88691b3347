package bench

import (
	"context"
	"math/rand/v2"
	"time"

	"parcorels/bitvec"
)

// countMeasure is the instance that measures kernels: counting all columns of a node in sets of points of several sizes.
const countMeasure = "count"

// countWords are the sizes of real instances (2 haberman, 4 compas, 28 cars, 165 stop-and-frisk) and beyond the caches.
var countWords = []int{2, 4, 8, 28, 165, 1000, 10000}

const (
	countColumns = 160
	shortRuns    = 9
	shortRun     = 20 * time.Millisecond
)

// countRates measures the kernel of this process.
func countRates(ctx context.Context) (Outcome, error) {
	out := Outcome{Status: Done}
	for _, words := range countWords {
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		out.Rates = append(out.Rates, Rate{bitvec.Kernel(), words, countRate(words), throughput})
	}
	return out, nil
}

// countRate returns how many 10^9 bytes of block words a second the steps of a count read. Costs are as those of real instances,
// a heavy head and a long tail of 1. Sets are dense. Each count is in another set, so that branch predictors see what a search
// shows them. Other work on the machine only ever makes a kernel slower, so the fastest of several short runs counts.
func countRate(words int) (best float64) {
	random, words1, costs := rand.New(rand.NewPCG(1, uint64(words))), (words+1)/2, make([]int64, 64*words)
	for _, class := range [][]int64{costs[:64*words1], costs[64*words1:]} {
		for i := range class {
			class[i] = max(1, 100/(1+int64(i)*100/int64(max(len(class), 300))))
		}
	}
	planes, matrix := bitvec.NewPlanes(costs, words1), bitvec.NewMatrix(countColumns, words)
	for k := range countColumns {
		column := make([]uint64, words)
		for w := range column {
			column[w] = random.Uint64() & random.Uint64()
		}
		matrix.Set(k, column)
	}
	sets := make([][]uint64, 16)
	for i := range sets {
		for range words {
			sets[i] = append(sets[i], random.Uint64()|random.Uint64())
		}
	}
	var prog bitvec.Program
	g1, g0 := make([]int64, matrix.Blocks()*bitvec.Lanes), make([]int64, matrix.Blocks()*bitvec.Lanes)
	for range shortRuns {
		bytes, start := 0, time.Now()
		for time.Since(start) < shortRun {
			for _, set := range sets {
				planes.Compile(&prog, set)
				matrix.Count(&prog, 0, matrix.Blocks(), g1, g0)
				bytes += planes.PlaneWords() * 64 * matrix.Blocks()
			}
		}
		best = max(best, float64(bytes)/1e9/time.Since(start).Seconds())
	}
	return best
}

// throughput is the unit of rates.
const throughput = "GB/s"
