package testgen

import "parcorels/internal/testing/oracle"

// Symmetric returns an instance of all rows of 3 to 5 features, of which some
// can be exchanged for each other: labels and weights depend on how many of each
// group a row has. Antecedents are the features with, in some instances, their
// negations or the pairs of one group, and some of them twice, in any order, up
// to 8 of them. The oracle visits at most 110,000 lists.
func Symmetric(seed uint64) Instance {
	rng := source("symmetric", seed)
	groups := [][]int{{3}, {2, 2}, {4}, {3, 1}, {3, 2}, {2, 1, 1}}[rng.IntN(6)]
	features := 0
	var group []int // of each feature
	for g, n := range groups {
		for range n {
			group = append(group, g)
		}
		features += n
	}
	p := oracle.Problem{}
	columns := make([][]bool, features)
	labels, costs := map[[3]int]bool{}, map[[3]int]int64{}
	for row := range 1 << features {
		var kind [3]int // ones in each group
		for f := range features {
			kind[group[f]] += row >> f & 1
		}
		if _, known := costs[kind]; !known {
			labels[kind], costs[kind] = chance(rng, .5), rng.Int64N(4)
		}
		if costs[kind] == 0 {
			continue
		}
		p.Labels = append(p.Labels, labels[kind])
		p.Weights = append(p.Weights, costs[kind])
		for f := range features {
			columns[f] = append(columns[f], row>>f&1 == 1)
		}
	}
	if len(p.Labels) == 0 {
		return Symmetric(seed + 1<<32)
	}
	p.Columns = columns
	switch {
	case features <= 4 && chance(rng, .4):
		for _, c := range columns[:features:features] {
			p.Columns = append(p.Columns, not(c))
		}
	case groups[0] == 3 && chance(rng, .6):
		for _, pair := range [][2]int{{0, 1}, {0, 2}, {1, 2}} {
			p.Columns = append(p.Columns, combine(columns[pair[0]], columns[pair[1]], and))
		}
	}
	for len(p.Columns) < 7 && chance(rng, .4) {
		p.Columns = append(p.Columns, pick(rng, columns...))
	}
	rng.Shuffle(len(p.Columns), func(i, j int) { p.Columns[i], p.Columns[j] = p.Columns[j], p.Columns[i] })
	p.Lambda = within(pick[int64](rng, 1, 1, 2, 3), p.Total()*pick[int64](rng, 1, 1, 2, 3))
	return Instance{p, "symmetric", seed}
}
