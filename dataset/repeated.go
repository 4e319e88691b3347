package dataset

import (
	"math/big"
	"math/bits"
	"slices"

	"parcorels/cuts"
	"parcorels/ratio"

	"github.com/bits-and-blooms/bitset"
)

// A sample whose weight is a whole number stands for as many rows, where the weights of all are whole numbers. All that is
// decided by numbers of rows is then decided by these: where numbers are cut, which texts are frequent, what is an id, the
// default λ. So a table with such weights is read as the table in which each row is repeated.

// Rows is how many rows the samples stand for, N where weights are no whole numbers.
func (d *Dataset) Rows() int { return int(cuts.Total(d.counts, d.N)) }

// RowsAt is how many rows a sample stands for.
func (d *Dataset) RowsAt(i int) int64 { return cuts.At(d.counts, i) }

// RowsOf is Rows of the samples in both of two sets.
func (d *Dataset) RowsOf(a, b *bitset.BitSet) int64 {
	if d.counts == nil {
		return int64(a.IntersectionCardinality(b))
	}
	rows := int64(0)
	for w, word := range a.Words() {
		for word &= b.Words()[w]; word != 0; word &= word - 1 {
			rows += d.counts[w*64+bits.TrailingZeros64(word)]
		}
	}
	return rows
}

// Heaviest returns what a row of the class whose rows weigh most weighs: as a share of all, and in the user's weights.
func (d *Dataset) Heaviest() (share, weight *big.Rat) {
	if d.Weights == nil {
		return big.NewRat(1, int64(d.N)), big.NewRat(1, 1)
	}
	rows, weights := make([]int64, d.ClassCount()), make([]int64, d.ClassCount())
	for i := range d.N {
		c := d.Class(i)
		weights[c] += d.Weights[i]
		rows[c] += d.RowsAt(i)
	}
	share = new(big.Rat)
	for c, n := range rows {
		if n > 0 {
			if w := big.NewRat(weights[c], n); w.Cmp(share) > 0 {
				share = w
			}
		}
	}
	return ratio.Over(share, ratio.Int(d.TotalWeight())), ratio.Over(share, d.WeightUnit.Rat())
}

// Counted reports whether the weights of samples are numbers of rows.
func (d *Dataset) Counted() bool { return d.counts != nil }

// Weighted reports whether samples weigh otherwise than the rows that they stand for.
func (d *Dataset) Weighted() bool { return d.Weights != nil && (d.counts == nil || d.inClass != nil) }

// ClassesWeigh reports whether rows of different classes weigh differently because options say so.
func (d *Dataset) ClassesWeigh() bool { return d.inClass != nil }

// Expanded returns the samples with each row that they stand for as a sample of its own, and the sample that each was.
func (d *Dataset) Expanded() (*Dataset, []int) {
	var of []int
	for i := range d.N {
		for range d.counts[i] {
			of = append(of, i)
		}
	}
	s := d.take(of, nil)
	s.Weights = nil
	if each := d.cutWeights(); d.inClass != nil {
		for i, c := range d.counts {
			each[i] /= c
		}
		s.Weights = Taken(each, of)
	}
	return s, of
}

// take returns the samples of a list, in its order and maybe several times, which stand for so many rows each.
func (d *Dataset) take(samples []int, counts []int64) *Dataset {
	s := *d
	s.N, s.counts = len(samples), counts
	s.Weights, s.ClassOf = Taken(d.Weights, samples), Taken(d.ClassOf, samples)
	s.Gains = slices.Clone(d.Gains)
	for q := range s.Gains {
		s.Gains[q] = Taken(s.Gains[q], samples)
	}
	s.Features, s.Numbers = slices.Clone(d.Features), slices.Clone(d.Numbers)
	for i := range s.Features {
		s.Features[i].Bits = takenBits(s.Features[i].Bits, samples)
	}
	for i := range s.Numbers {
		s.Numbers[i].Ranks = Taken(s.Numbers[i].Ranks, samples)
	}
	if d.kept != nil {
		s.kept = d.kept.take(samples, counts)
	}
	return &s
}

// takenBits returns the samples of a list that are in a set.
func takenBits(of *bitset.BitSet, samples []int) *bitset.BitSet {
	words, from := make([]uint64, (len(samples)+63)/64), of.Words()
	for i, at := range samples {
		words[i>>6] |= from[at>>6] >> (at & 63) & 1 << (i & 63)
	}
	return bitset.FromWithLength(uint(len(samples)), words)
}

// cutWeights returns the weights of samples that cuts are chosen by: what as many rows as each stands for would weigh.
func (d *Dataset) cutWeights() []int64 {
	if d.counts == nil {
		return d.Weights
	}
	if d.inClass == nil {
		return d.counts
	}
	each := make([]int64, d.N)
	shift := max(0, bits.Len(uint(d.Rows()))+bits.Len64(uint64(slices.Max(d.inClass)))-62) // so that they add up
	for i, c := range d.counts {
		each[i] = c * max(1, d.inClass[d.Class(i)]>>shift)
	}
	return each
}
