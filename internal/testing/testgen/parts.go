package testgen

import (
	"math/rand/v2"
	"slices"
)

// features returns columns of random features from which labels and
// antecedents are made. In half the cases the samples are drawn from a few
// distinct rows and so repeat.
func features(rng *rand.Rand, samples, count int) [][]bool {
	distinct := samples
	if chance(rng, .5) {
		distinct = between(rng, 1, samples)
	}
	of := make([]int, samples) // sample -> its row
	for i := range of {
		of[i] = i
		if distinct < samples {
			of[i] = rng.IntN(distinct)
		}
	}
	columns := make([][]bool, count)
	for j := range columns {
		row := Random(rng, distinct, pick(rng, .5, .5, rng.Float64()))
		columns[j] = make([]bool, samples)
		for i := range of {
			columns[j][i] = row[of[i]]
		}
	}
	return columns
}

// Random returns n bits, each set with probability p.
func Random(rng *rand.Rand, n int, p float64) []bool {
	bits := make([]bool, n)
	for i := range bits {
		bits[i] = chance(rng, p)
	}
	return bits
}

// labels returns labels that depend on the features: not at all, as one class,
// as a parity of two or three (no single feature then tells anything), as a
// disjunction of pairs, or by a hidden rule list; in half the cases with noise.
func labels(rng *rand.Rand, rows [][]bool) []bool {
	samples := len(rows[0])
	y := make([]bool, samples)
	switch rng.IntN(14) {
	case 0, 1:
		y = Random(rng, samples, pick(rng, .5, rng.Float64()))
	case 2:
		y = Random(rng, samples, pick(rng, 0, 1.))
	case 3, 4, 5:
		for _, j := range rng.Perm(len(rows))[:min(len(rows), between(rng, 2, 3))] {
			y = combine(y, rows[j], xor)
		}
	case 6, 7:
		for range between(rng, 1, 4) {
			y = combine(y, combine(pick(rng, rows...), pick(rng, rows...), and), or)
		}
	default:
		for _, j := range rng.Perm(len(rows))[:pick(rng, between(rng, 1, len(rows)), len(rows))] {
			predict := chance(rng, .5)
			y = combine(y, rows[j], func(a, b bool) bool { return b && predict || !b && a })
		}
	}
	if !slices.Contains(y, true) && chance(rng, .8) {
		y = Random(rng, samples, .5)
	}
	if noise := .2 * rng.Float64(); chance(rng, .5) {
		y = combine(y, Random(rng, samples, noise), xor)
	}
	return y
}

func combine(a, b []bool, f func(a, b bool) bool) []bool {
	c := make([]bool, len(a))
	for i := range a {
		c[i] = f(a[i], b[i])
	}
	return c
}

// pairs returns features and conjunctions of two, negated or not, count in all.
func pairs(rng *rand.Rand, rows [][]bool, count int) [][]bool {
	literals := rows
	if chance(rng, .5) {
		literals = slices.Clip(rows)
		for _, row := range rows {
			literals = append(literals, not(row))
		}
	}
	all := slices.Clip(literals)
	for j := range literals {
		for i := range j {
			all = append(all, combine(literals[i], literals[j], and))
		}
	}
	singles := len(literals)
	rest := all[singles:]
	rng.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
	return all[:min(count, len(all))]
}

// columns returns antecedents: features, their negations and conjunctions,
// and what is hard on ties: columns equal to, complementary to, contained in or
// made up of earlier ones, empty and full ones, the labels themselves.
func columns(rng *rand.Rand, rows [][]bool, labels []bool, count int) [][]bool {
	all := make([][]bool, 0, count)
	fresh := rng.Perm(len(rows)) // features not used yet
	earlier := func() []bool { return pick(rng, append(slices.Clip(all), rows...)...) }
	odd := chance(rng, .4)
	for range count {
		kind := rng.IntN(6)
		if odd {
			kind = rng.IntN(15)
		}
		var c []bool
		switch kind {
		case 0, 1:
			c = pick(rng, rows...)
			if len(fresh) > 0 {
				c, fresh = rows[fresh[0]], fresh[1:]
			}
		case 2:
			c = not(pick(rng, rows...))
		case 3:
			c = combine(pick(rng, rows...), pick(rng, rows...), and)
		case 4:
			c = combine(pick(rng, rows...), pick(rng, rows...), without)
		case 5, 6:
			c = Random(rng, len(labels), rng.Float64())
		case 7:
			c = earlier()
		case 8:
			c = not(earlier())
		case 9:
			c = combine(earlier(), Random(rng, len(labels), .7), and)
		case 10:
			c = combine(earlier(), Random(rng, len(labels), .1), xor)
		case 11:
			c = Random(rng, len(labels), pick(rng, 0, 1.))
		case 12, 13:
			c = combine(earlier(), earlier(), or)
		case 14:
			c = combine(labels, Random(rng, len(labels), .8), and)
		}
		all = append(all, slices.Clone(c))
	}
	return all
}

func and(a, b bool) bool { return a && b }

func or(a, b bool) bool { return a || b }

func without(a, b bool) bool { return a && !b }

func xor(a, b bool) bool { return a != b }

func not(a []bool) []bool {
	return combine(a, a, func(x, _ bool) bool { return !x })
}

// weights returns nil, small weights, powers of two, huge ones with all their
// bits in use, or weights that balance the classes.
func weights(rng *rand.Rand, labels []bool) []int64 {
	w := smallWeights(rng, len(labels), between64(rng, 2, 10))
	switch rng.IntN(10) {
	case 0, 1, 2, 3, 4:
		return nil
	case 5:
		for i := range w {
			w[i] = 1 << rng.IntN(10)
		}
	case 6:
		return smallWeights(rng, len(labels), 1<<32)
	case 7:
		balance(w, labels)
	}
	return w
}

// smallWeights returns weights from 1 to most.
func smallWeights(rng *rand.Rand, samples int, most int64) []int64 {
	w := make([]int64, samples)
	for i := range w {
		w[i] = 1 + rng.Int64N(most)
	}
	return w
}

// byClass adds up what the samples of each class weigh.
func byClass(labels []bool, weight func(i int) int64) (class [2]int64) {
	for i, label := range labels {
		if label {
			class[1] += weight(i)
		} else {
			class[0] += weight(i)
		}
	}
	return class
}

// balance weighs the classes alike, whatever w holds: samples of class 1 by
// the count of class 0 and the other way round.
func balance(w []int64, labels []bool) {
	count := byClass(labels, func(int) int64 { return 1 })
	for i, label := range labels {
		w[i] = max(1, count[1])
		if label {
			w[i] = max(1, count[0])
		}
	}
}
