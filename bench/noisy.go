package bench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/bits-and-blooms/bitset"

	"parcorels/dataset"
	"parcorels/rules"
)

// Noisy tables are what people have: numbers, each cut at its quantiles in both
// directions, and a class that a list of four rules on some of them tells, but for
// noise in the labels. Searches without the separation bound keep large gaps on them.
// They are the same bits every time.

const (
	noisyCuts  = 10 // of a number, and two antecedents for each
	noisySeed  = 20261122
	mostNoisy  = 1_000_000 // rows
	mostNoises = 49        // percent
)

func noisyInstance(name, text string) (Instance, error) {
	var of [3]int
	parts := strings.Split(text, "x")
	ok := len(parts) == len(of)
	for i := range parts {
		if ok {
			n, err := strconv.Atoi(parts[i])
			of[i], ok = n, err == nil
		}
	}
	rows, antecedents, percent := of[0], of[1], of[2]
	if !ok || rows < 2 || rows > mostNoisy || antecedents < 80 || antecedents > 2*mostFlags || percent < 0 || percent > mostNoises {
		return Instance{}, fmt.Errorf("%q: expected noisy/ROWSxANTECEDENTSxPERCENT with 2 to %d rows, 80 to %d antecedents and 0 to %d percent of wrong labels, such as noisy/600x400x20",
			name, mostNoisy, 2*mostFlags, mostNoises)
	}
	return Instance{
		Name: name, About: "noisy", mining: rules.Options{MaxCard: 1},
		make: func() (*dataset.Dataset, error) { return noisy(name, rows, antecedents, percent), nil },
	}, nil
}

// noisy makes the table. Numbers are sums of three uniform ones, of which neighbours
// share one, so that they are correlated.
func noisy(name string, rows, antecedents, percent int) *dataset.Dataset {
	d := &dataset.Dataset{
		Source: name, Hash: name, Format: "csv", N: rows, Target: "class", Classes: [2]string{"no", "yes"},
		Labels: bitset.New(uint(rows)),
	}
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
	x := func(k, i int) float64 { return numbers[k][i] }
	for i := range rows {
		class := x(3, i) > 1.4
		switch {
		case x(0, i) > 1.8:
			class = true
		case x(1, i) < 1.2:
			class = false
		case x(2, i) > 1.7:
			class = x(0, i) > 1.4
		}
		if class != (random.IntN(100) < percent) {
			d.Labels.Set(uint(i))
		}
	}
	return d
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
		d.Features = append(d.Features, dataset.Feature{Name: column + " > " + text, Column: column, Group: -1, Bits: above})
		if 2*c+1 < features {
			d.Features = append(d.Features, dataset.Feature{Name: column + " ≤ " + text, Column: column, Group: -1, Bits: below})
		}
	}
}
