package cuts

import (
	"slices"

	"parcorels/loop"
)

// A list of one rule on one number is what people try first, and what they
// compare a longer list with. So the cut of each column that errs least on its
// own is kept in any case, if it errs less than no cut does and tells more of the
// classes than chance would. Squared loss alone may prefer a neighbour of it.
//
// For noise, the largest chi-square of all cuts of a column is above 10 in 5 of 100
// columns, between 10 and 12, if there are two classes, and between 14 and 17 and
// between 21 and 24 of four and seven (measured, 100 to 3,000 rows).

// surely is what the chi-square of a seed is at least, of k classes and n samples.
// Fewer than 30 samples are an example for people: there, no cut could be told from
// chance, and none would be an odd answer.
func surely(k, n int) float64 {
	if n < 30 {
		return 0
	}
	return float64(4 + 3*k)
}

// seed keeps the best cut of each column, in at most half the budget those of
// the columns that err least. With all, it also keeps the cut of each column that tells
// most of the classes, of the columns that tell most.
func (e *ensemble) seed(budget int, all bool) {
	e.keepSeeds(budget/2, func(s *seed) (cut, bool) { return s.errs, s.errs.gain > 0 })
	if all {
		e.keepSeeds(max(budget/2, len(e.columns)), func(s *seed) (cut, bool) { return s.tells, s.tells.gain > 0 })
	}
}

// keepSeeds keeps up to most cuts of those that pick returns, which gain most.
func (e *ensemble) keepSeeds(most int, pick func(*seed) (cut, bool)) {
	found := make([]*cut, len(e.columns))
	loop.Parallel(len(e.columns), func(c int) {
		if e.columns[c].Free {
			return
		}
		if k, ok := pick(e.seedOf(c)); ok {
			found[c] = &k
		}
	})
	found = slices.DeleteFunc(found, func(k *cut) bool { return k == nil })
	slices.SortStableFunc(found, byGain)
	for _, k := range found[:min(len(found), most)] {
		e.boundaries[k.column][k.bin].seed = true
	}
}

// seed is a column's cuts that may be kept whatever they gain. One that gains nothing
// is none.
type seed struct {
	errs  cut // spares most errors, of equals tells most
	tells cut // has the largest chi-square
}

// seedOf looks at all cuts of a column, with the samples without a number on either
// side.
func (e *ensemble) seedOf(c int) *seed {
	column, k := e.columns[c], e.k
	bins := e.classes[c]
	total, others, below, in := make([]int64, k), make([]int64, k), make([]int64, k), make([]int64, k)
	for b, w := range bins {
		add(total, w)
		if b >= column.Ordered {
			add(others, w)
		}
	}
	s := &seed{cut{column: c}, cut{column: c}}
	base, told := e.total-slices.Max(total), 0.0 // told is the chi-square of s.errs
	balance := func(b int) int64 { return e.boundaries[c][b].balance }
	try := func(b int) {
		chi := chiSquare(in, total, float64(e.rows))
		if chi < surely(k, e.rows) {
			return
		}
		best, out := int64(0), int64(0)
		for class, w := range in {
			best, out = max(best, w), max(out, total[class]-w)
		}
		gain := float64(base - (e.total - best - out))
		if chi > s.tells.gain || chi == s.tells.gain && balance(b) > balance(s.tells.bin) {
			s.tells.bin, s.tells.gain = b, chi
		}
		if gain > s.errs.gain || gain == s.errs.gain && (chi > told || chi == told && balance(b) > balance(s.errs.bin)) {
			s.errs.bin, s.errs.gain, told = b, gain, chi
		}
	}
	for b := range max(0, column.Ordered-1) {
		add(below, bins[b])
		copy(in, below)
		try(b)
		if sum(others) > 0 {
			add(in, others)
			try(b)
		}
	}
	return s
}

func add(to, weights []int64) {
	for i, w := range weights {
		to[i] += w
	}
}

// chiSquare is Pearson's statistic of a side of a cut with weights in of total by
// class, as if the total were n: Σ (in − E)²/E over both sides, with E the share
// of the total. It is 0 where a side weighs less than a leaf.
func chiSquare(in, total []int64, n float64) float64 {
	inside, all := sum(in), sum(total)
	if min(inside, all-inside)*leafShare < all {
		return 0
	}
	// A class of weight t has the same deviation d on both sides. With E = t·inside/all
	// and t·(all−inside)/all, d²/E + d²/E' is (d·all)²/(t·inside·(all−inside)), and d·all
	// changes its sign alone where the sides are exchanged.
	var terms [256]float64
	for class, t := range total {
		if t > 0 {
			d := float64(float64(in[class])*float64(all-inside)) - float64(float64(t-in[class])*float64(inside))
			terms[class] = float64(d*d) / float64(t)
		}
	}
	slices.Sort(terms[:len(total)]) // so that the sum does not depend on the order of classes
	chi := 0.0
	for _, t := range terms[:len(total)] {
		chi += t
	}
	return chi / float64(float64(inside)*float64(all-inside)) * n / float64(all)
}
