package dataset

import (
	"math/bits"
	"slices"

	"github.com/bits-and-blooms/bitset"
	"parcorels/cuts"
)

// Of equally good models the one whose features come first is taken. So a column
// that runs the other way has to have the same features in the same order, or
// another of these models would be learned: x ≤ c where x > −c was. The features of
// numbers are therefore in the order from the end that the samples choose: part
// by part from there, the samples of the two classes are the smaller sequence. A
// column whose parts say the same from both ends keeps ascending order.

// direction is what the order of features is chosen by.
type direction struct {
	samples *bitset.BitSet // whose labels count; nil: all
	ones    *bitset.BitSet // those of them that are not of the first class
}

// directionOf returns that of all samples of d.
func directionOf(d *Dataset) direction {
	if d.Labels != nil {
		return direction{nil, d.Labels}
	}
	ones := bitset.New(uint(d.N))
	for i, class := range d.ClassOf {
		ones.SetTo(uint(i), class > 0)
	}
	return direction{nil, ones}
}

// within returns the direction by the labels of rows alone.
func (f direction) within(rows *bitset.BitSet) direction {
	return direction{rows, f.ones.Intersection(rows)}
}

// turn puts the features of numbers in the order from the end that the samples
// choose. Those of intervals and of given cuts stay in ascending order.
func (b *builder) turn(p *parts, words [][]uint64) {
	if b.o.Numeric == Intervals || len(p.features) == 0 {
		return
	}
	if kind := p.features[0].test.Kind; kind != Number && kind != Threshold {
		return
	}
	ordered := words
	if p.missing >= 0 {
		ordered = words[:p.missing] // it is the last
	}
	counts := make([][]int64, len(ordered))
	for i, part := range ordered {
		counts[i] = b.direction.count(part)
	}
	if cuts.CompareEnds(counts) >= 0 {
		return
	}
	for rest := p.features; len(rest) > 0; {
		n := slices.IndexFunc(rest, func(s span) bool { return s.test.Kind != rest[0].test.Kind })
		if n < 0 {
			n = len(rest)
		}
		slices.Reverse(rest[:n])
		rest = rest[n:]
	}
}

// count returns how many samples of part are of the first class, and of others.
func (f direction) count(part []uint64) []int64 {
	n := make([]int64, 2)
	for i, word := range part {
		if f.samples != nil {
			word &= f.samples.Words()[i]
		}
		one := bits.OnesCount64(word & f.ones.Words()[i])
		n[0] += int64(bits.OnesCount64(word) - one)
		n[1] += int64(one)
	}
	return n
}
