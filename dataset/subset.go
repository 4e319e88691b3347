package dataset

import (
	"math/big"

	"parcorels/ratio"

	"github.com/bits-and-blooms/bitset"
)

// Subset returns the samples of rows, in their order, with all features. It
// keeps what d says of its source, so two of the package's invariants may not
// hold: a feature may be constant there, and weights may have a common divisor.
// It panics if rows does not have N bits, or is empty.
func (d *Dataset) Subset(rows *bitset.BitSet) *Dataset {
	if rows.Len() != uint(d.N) || rows.None() {
		panic("dataset: a subset takes N bits, one of which is set")
	}
	s := *d
	if d.kept != nil {
		s.kept = d.kept.within(rows)
	}
	s.N = int(rows.Count())
	if d.Labels != nil {
		s.Labels = d.Labels.Extract(rows)
	}
	s.Features = make([]Feature, len(d.Features))
	for i, f := range d.Features {
		f.Bits = f.Bits.Extract(rows)
		s.Features[i] = f
	}
	s.Numbers = make([]Numbers, len(d.Numbers))
	for i := range d.Numbers {
		s.Numbers[i] = d.Numbers[i].subset(rows, s.N)
	}
	s.Weights = extract(d.Weights, rows, s.N)
	s.ClassOf = extract(d.ClassOf, rows, s.N)
	return &s
}

// extract returns the n values of rows; nil of nil.
func extract[T any](values []T, rows *bitset.BitSet, n int) []T {
	if values == nil {
		return nil
	}
	list := make([]T, 0, n)
	for i, ok := rows.NextSet(0); ok; i, ok = rows.NextSet(i + 1) {
		list = append(list, values[i])
	}
	return list
}

// Balanced returns d with the weights of each class multiplied by what makes
// all classes weigh the same, an equal share of the total each: what
// Options.ClassWeights = "balanced" would have done. A data set of one class
// stays as it is. It returns an error when the integer weights would add up to
// 2^62 or more.
func (d *Dataset) Balanced() (*Dataset, error) {
	b := *d
	b.Weights = nil
	if err := weigh(&b, d.Weights, 0, "balanced"); err != nil {
		return nil, err
	}
	if d.Weights == nil {
		return &b, nil
	}
	unit := new(big.Rat).SetFrac64(b.WeightUnit.Num, b.WeightUnit.Den)
	unit.Mul(unit, new(big.Rat).SetFrac64(d.WeightUnit.Num, d.WeightUnit.Den))
	if !unit.Num().IsInt64() || !unit.Denom().IsInt64() {
		return nil, errWeightRange
	}
	b.WeightUnit = ratio.Ratio{Num: unit.Num().Int64(), Den: unit.Denom().Int64()}
	return &b, nil
}
