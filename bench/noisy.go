package bench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/bits-and-blooms/bitset"

	"parcorels/dataset"
)

// Noisy tables are what people have: numbers, each cut at its quantiles in both
// directions, and a class that a list of four rules on some of them tells, but for
// noise in the labels. Searches without the separation bound keep large gaps on them.
// They are the same bits every time.

const (
	noisyCuts = 10 // of a number, and two antecedents for each
	noisySeed = 20261122
)

// noisy makes the table. Numbers are sums of three uniform ones, of which neighbours
// share one, so that they are correlated.
func noisy(name string, rows, antecedents, percent int) *dataset.Dataset {
	d := emptyTable(name, rows)
	random := rand.New(rand.NewPCG(noisySeed, uint64(rows)<<32|uint64(antecedents)<<8|uint64(percent)))
	numbers := make([][]float64, (antecedents+2*noisyCuts-1)/(2*noisyCuts))
	for k := range numbers {
		numbers[k] = make([]float64, rows)
	}
	for i := range rows {
		shared := random.Float64()
		for k := range numbers {
			next := random.Float64()
			numbers[k][i] = shared + next + random.Float64()
			shared = next
		}
	}
	for k, x := range numbers {
		noisyCutsOf(d, fmt.Sprintf("x%d", k+1), x, min(2*noisyCuts, antecedents-2*noisyCuts*k))
	}
	for i := range rows {
		class := fourRules(func(k int) float64 { return numbers[k][i] })
		if class != (random.IntN(100) < percent) {
			d.Labels.Set(uint(i))
		}
	}
	return d
}

// fourRules is the class that a list of four rules tells by four numbers.
func fourRules(x func(k int) float64) bool {
	switch {
	case x(0) > 1.8:
		return true
	case x(1) < 1.2:
		return false
	case x(2) > 1.7:
		return x(0) > 1.4
	}
	return x(3) > 1.4
}

// noisyCutsOf adds features of a number: above its quantiles, and not.
func noisyCutsOf(d *dataset.Dataset, column string, x []float64, features int) {
	d.Columns = append(d.Columns, column)
	sorted := slices.Sorted(slices.Values(x))
	cuts := (features + 1) / 2
	for c := range cuts {
		at := sorted[len(sorted)*(c+1)/(cuts+1)]
		above, below := bitset.New(uint(len(x))), bitset.New(uint(len(x)))
		for i, v := range x {
			if v > at {
				above.Set(uint(i))
			} else {
				below.Set(uint(i))
			}
		}
		text := strconv.FormatFloat(math.Round(at*1e4)/1e4, 'f', 4, 64)
		d.Features = append(d.Features, dataset.Feature{Name: column + " > " + text, Column: column, Test: dataset.Test{Kind: dataset.Threshold, Low: &at, Complete: true}, Group: -1, Bits: above})
		if 2*c+1 < features {
			d.Features = append(d.Features, dataset.Feature{Name: column + " ≤ " + text, Column: column, Test: dataset.Test{Kind: dataset.Threshold, High: &at, Complete: true}, Group: -1, Bits: below})
		}
	}
}
