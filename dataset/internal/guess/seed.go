package guess

import (
	"slices"

	"parcorels/internal/loop"
)

// A list of one rule on one number is what people try first, and what they
// compare a longer list with. So the cut of each column that errs least on its
// own is kept in any case, if it errs less than no cut does. Squared loss alone
// may prefer a neighbour of it.

// seed keeps the best cut of each column, in at most half the budget those of
// the columns that err least.
func (e *ensemble) seed(budget int) {
	found := make([]*cut, len(e.columns))
	loop.Parallel(len(e.columns), func(c int) { found[c] = e.seedOf(c) })
	found = slices.DeleteFunc(found, func(k *cut) bool { return k.gain <= 0 || e.columns[k.column].Free })
	slices.SortStableFunc(found, byGain)
	for _, k := range found[:min(len(found), budget/2)] {
		e.seeds[k.column][k.bin] = true
	}
}

// seedOf returns the cut of a column that spares most errors, of equals the one
// that spares most squared loss.
func (e *ensemble) seedOf(c int) *cut {
	var best cut
	column := e.columns[c]
	bins := e.classes[c]
	var total, others [2]int64
	for b, w := range bins {
		for class := range w {
			total[class] += w[class]
			if b >= column.Ordered {
				others[class] += w[class]
			}
		}
	}
	best.column = c
	base, bestScore := min(total[0], total[1]), 0.0
	try := func(b int, in [2]int64) {
		out := [2]int64{total[0] - in[0], total[1] - in[1]}
		if least := min(in[0]+in[1], out[0]+out[1]); least*leafShare < e.total {
			return
		}
		gain := float64(base - min(in[0], in[1]) - min(out[0], out[1]))
		score := sums{in[1], in[0] + in[1]}.score() + sums{out[1], out[0] + out[1]}.score()
		if gain > best.gain || gain == best.gain && (score > bestScore || score == bestScore && e.balance[c][b] > e.balance[c][best.bin]) {
			best.bin, best.gain, bestScore = b, gain, score
		}
	}
	var below [2]int64
	for b := range max(0, column.Ordered-1) {
		below[0] += bins[b][0]
		below[1] += bins[b][1]
		try(b, below)
		if others != [2]int64{} {
			try(b, [2]int64{below[0] + others[0], below[1] + others[1]})
		}
	}
	return &best
}
