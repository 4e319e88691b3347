package bitvec

import (
	"cmp"
	"slices"
)

// Planes holds the costs of all points as weighted masks per word, in the
// order in which kernels take them. It is immutable.
type Planes struct {
	words, words1 int
	all           []uint64 // all points that cost anything
	classes       list     // class 1, then class 0
	both          list     // both classes together, what costs most first
	rows          *rows    // the same masks, for Cost
}

// segmentWords is the number of words whose masks are listed together. Eight
// columns of a segment are 4 KiB, so a kernel that passes over a segment once
// per weight reads it from the nearest cache.
const segmentWords = 64

// longestRun is the most steps a run may have: kernels without a vector
// popcount add up to 8 per step to sums of one byte. Runs of the list for
// FirstWithin are shorter, because kernels look after each whether to go on.
const (
	longestRun       = 31
	longestWithinRun = 4
)

// wideWeight is the smallest weight with which the avx512 kernel cannot
// multiply: VPMADD52LUQ keeps 52 bits of a product, and a popcount is up to 2^6.
const wideWeight = 1 << 46

// step intersects word off/8 of a set with a mask. A counted point is worth
// weight a point.
type step struct {
	mask   uint64
	weight uint64
	off    uint64 // byte offset of the word in a set; a block of a Matrix has it at 8·off
}

// run is a number of neighbouring steps with the same weight.
type run struct {
	steps  uint64
	weight uint64
}

// list is a sequence of steps, those of class 1 first where that matters.
// Each part has an even number of steps: kernels take two at a time.
type list struct {
	steps         []step
	runs          []run // the same steps, grouped
	steps1, runs1 int   // how many are class 1's
	idle          int   // steps with an empty mask that make the numbers even
	wide          bool  // whether some weight is at least wideWeight
}

// NewPlanes builds the planes of costs, which holds the cost (≥ 0, in total
// below 2^62) of every bit position of a set, 64 per word; a position without
// a point costs 0. The first words1 words are class 1.
func NewPlanes(costs []int64, words1 int) *Planes {
	p := &Planes{words: len(costs) / 64, words1: words1}
	p.all = make([]uint64, p.words)
	masks := make([][]Mask, p.words)
	for w := range masks {
		masks[w] = Masks(costs[w*64 : w*64+64])
		for _, m := range masks[w] {
			p.all[w] |= m.Bits
		}
	}
	p.rows = newRows(masks, words1)
	segments1, segments0 := segments(masks, 0, words1), segments(masks, words1, p.words)
	p.classes.add(segments1, longestRun)
	p.classes.steps1, p.classes.runs1 = len(p.classes.steps), len(p.classes.runs)
	p.classes.add(segments0, longestRun)
	both := append(segments1, segments0...)
	slices.SortStableFunc(both, func(a, b []step) int {
		return cmp.Compare(b[0].weight, a[0].weight)
	})
	p.both.add(both, longestWithinRun)
	return p
}

// segments returns the steps of the words [from, to), one slice for each
// segment that has any, heavy weights first.
func segments(masks [][]Mask, from, to int) (out [][]step) {
	for ; from < to; from += segmentWords {
		var seg []step
		for w := from; w < min(from+segmentWords, to); w++ {
			for _, p := range masks[w] {
				seg = append(seg, step{p.Bits, uint64(p.Weight), uint64(w) * 8})
			}
		}
		slices.SortStableFunc(seg, func(a, b step) int { return cmp.Compare(b.weight, a.weight) })
		if len(seg) > 0 {
			out = append(out, seg)
		}
	}
	return out
}

// add appends segments to l as one part, with runs of up to longest. A part with an odd number of steps
// gets one more in its last run, which counts nothing.
func (l *list) add(segments [][]step, longest uint64) {
	from, last := len(l.steps), (*run)(nil)
	for _, seg := range segments {
		for _, s := range seg {
			if last == nil || last.weight != s.weight || last.steps == longest {
				l.runs = append(l.runs, run{0, s.weight})
				last = &l.runs[len(l.runs)-1]
			}
			last.steps++
			l.steps = append(l.steps, s)
			l.wide = l.wide || s.weight >= wideWeight
		}
	}
	if (len(l.steps)-from)%2 != 0 {
		last.steps++
		l.steps = append(l.steps, step{weight: last.weight})
		l.idle++
	}
}

// Words returns the number of words of a set; Words1 how many of them, the
// first ones, hold class 1.
func (p *Planes) Words() int { return p.words }

// Words1 returns the number of words of class 1.
func (p *Planes) Words1() int { return p.words1 }

// PlaneWords returns the number of (word, mask) pairs: the steps that a kernel
// takes to count a full set.
func (p *Planes) PlaneWords() int { return len(p.classes.steps) - p.classes.idle }
