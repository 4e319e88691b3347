package testgen

import (
	"parcorels/internal/testing/oracle"
	"parcorels/ratio"
)

// Noisy returns a table as people have them: 25 thresholds of each of six numbers, of
// which two matter, and a fifth of the 400 labels wrong. A search by itself takes
// thousands of prefixes, and the separation bound (rulelist/separation) leaves few.
func Noisy(seed uint64) Instance {
	rng := source("noisy", seed)
	const samples, numbers, cuts = 400, 6, 25
	p := oracle.Problem{Lambda: ratio.Ratio{Num: 1, Den: 50}, Columns: make([][]bool, numbers*cuts)}
	for range samples {
		var x [numbers]int
		for k := range x {
			x[k] = rng.IntN(cuts + 1)
			for c := range cuts {
				p.Columns[k*cuts+c] = append(p.Columns[k*cuts+c], x[k] > c)
			}
		}
		p.Labels = append(p.Labels, (x[0] > 16 || x[1] > 18) != chance(rng, 0.2))
	}
	return Instance{Problem: p, Family: "noisy", Seed: seed}
}
