package testgen

import (
	"math/rand/v2"

	"parcorels/internal/testing/oracle"
	"parcorels/ratio"
)

// Table returns an instance made as those of real tables are: 150 to 1,500
// samples of a few categorical columns and an ordered one, which all depend a
// little on something hidden that the label depends on as well; the antecedents
// are the frequent values, the thresholds and some pairs. So antecedents
// exclude, contain and resemble one another, most samples have others like
// them, and no list is free of errors. The oracle cannot do it, and a good
// solver not always.
func Table(seed uint64) Instance {
	rng := source("table", seed)
	hidden := make([]float64, between(rng, 150, 1500))
	for i := range hidden {
		hidden[i] = rng.Float64()
	}
	var literals [][]bool
	for range between(rng, 3, 7) {
		literals = append(literals, values(rng, hidden, between(rng, 2, 5))...)
	}
	literals = append(literals, thresholds(rng, hidden, between(rng, 1, 8))...)
	p := oracle.Problem{Labels: score(rng, hidden), Columns: pairs(rng, literals, between(rng, len(literals), 70))}
	if chance(rng, .3) {
		p.Weights = make([]int64, len(hidden))
		balance(p.Weights, p.Labels)
	}
	if p.Lambda = fitting(rng, &p, between(rng, 5, 25)); chance(rng, .5) {
		p.Lambda = ratio.New(pick[int64](rng, 1, 2, 3, 5, 10), pick[int64](rng, 200, 300, 500))
	}
	return Instance{p, "table", seed}
}

// values returns a column for each value of a categorical attribute. Small
// values are frequent, and more so where the hidden number is small.
func values(rng *rand.Rand, hidden []float64, count int) [][]bool {
	columns := blank(count, len(hidden))
	depends := rng.Float64()
	for i, h := range hidden {
		x := rng.Float64()
		if chance(rng, depends) {
			x = (x + 2*h) / 3
		}
		columns[int(x*x*float64(count))][i] = true
	}
	return columns
}

// thresholds returns columns each of which contains the one before.
func thresholds(rng *rand.Rand, hidden []float64, count int) [][]bool {
	columns := blank(count, len(hidden))
	noise := rng.Float64()
	for i, h := range hidden {
		x := h + noise*(rng.Float64()-.5)
		for v := range columns {
			columns[v][i] = x*float64(count+1) < float64(v+1)
		}
	}
	return columns
}

// score labels the samples by the hidden number, with noise.
func score(rng *rand.Rand, hidden []float64) []bool {
	y := make([]bool, len(hidden))
	noise, cut := .1+rng.Float64(), .3+.4*rng.Float64()
	for i, h := range hidden {
		y[i] = h+noise*(rng.Float64()-.5) > cut
	}
	return y
}

func blank(columns, samples int) [][]bool {
	list := make([][]bool, columns)
	for v := range list {
		list[v] = make([]bool, samples)
	}
	return list
}
