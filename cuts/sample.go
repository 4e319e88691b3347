package cuts

import (
	"math/rand/v2"
	"slices"

	"github.com/bits-and-blooms/bitset"
)

// Cuts of a table of more than sampleSize rows come from a sample of them: the trees of
// the ensemble look at each row some 80 times, and models of the cuts of ten million rows are no
// better than of those of a million (docs/scaling.md).
//
// Every class gets an equal share of the sample, or all its rows if it has fewer: its
// rows say what tells a rare class from the others. The rows of a class are drawn at random, one out of every run of so many
// rows, and weigh as many times more (Cochran, Sampling Techniques, 1977, section 8.1). The same table always
// gives the same sample.

// sampleSize is about how many rows a sample has.
const sampleSize = 1_000_000

// sample draws about most samples, if there are more, and keeps them alone.
func (g *Chooser) sample(most int) {
	if len(g.classes) <= most {
		return
	}
	runs := g.runs(most)
	random, passed, next := make([]*rand.PCG, g.k), make([]uint64, g.k), make([]uint64, g.k)
	for c := range random {
		random[c] = rand.NewPCG(1, uint64(c))
	}
	rows := bitset.New(uint(len(g.classes)))
	var classes []uint8
	var weights, counts []int64
	for i, c := range g.classes {
		if passed[c]%runs[c] == 0 {
			next[c] = passed[c] + random[c].Uint64()%runs[c]
		}
		if passed[c]++; passed[c]-1 != next[c] {
			continue
		}
		rows.Set(uint(i))
		classes, weights = append(classes, c), append(weights, g.weight(i)*int64(runs[c]))
		if g.counts != nil {
			counts = append(counts, g.counts[i])
		}
	}
	if counts == nil && slices.Min(weights) == slices.Max(weights) {
		weights = nil
	}
	g.rows, g.classes, g.weights, g.counts = rows, classes, weights, counts
}

// runs returns out of how many rows of each class one is drawn, so that about most are. The rarest classes take their
// shares first.
func (g *Chooser) runs(most int) []uint64 {
	rows, order := make([]int, g.k), make([]int, g.k)
	for _, c := range g.classes {
		rows[c]++
	}
	for c := range order {
		order[c] = c
	}
	slices.SortStableFunc(order, func(x, y int) int { return rows[x] - rows[y] })
	runs := make([]uint64, g.k)
	for i, c := range order {
		share := max(1, most/(g.k-i))
		most -= min(share, rows[c])
		runs[c] = uint64(max(1, (rows[c]+share-1)/share))
	}
	return runs
}
