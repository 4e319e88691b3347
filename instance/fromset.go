package instance

import (
	"parcorels/rules"

	"github.com/bits-and-blooms/bitset"
)

// deriving returns the columns of the key of a set, as sets of samples.
func deriving(s *rules.Set) (columns []*bitset.BitSet, d *derivation) {
	d = &derivation{made: make([][]int32, len(s.Antecedents))}
	at := map[*bitset.BitSet]int32{}
	for a, x := range s.Antecedents {
		if len(x.Parts) == 1 {
			at[x.Parts[0]] = int32(a)
		}
	}
	for a := range s.Antecedents {
		x := &s.Antecedents[a]
		var of []int32
		for _, part := range x.Parts {
			if b, ok := at[part]; ok && len(x.Parts) > 1 {
				of = append(of, b)
			}
		}
		if len(x.Parts) > 1 && len(of) == len(x.Parts) {
			d.made[a] = of
			continue
		}
		d.own, columns = append(d.own, int32(a)), append(columns, x.Captured())
	}
	return columns, d
}

// FromSet reduces a data set by its antecedents: column a of the instance is
// antecedent a of s.
//
// There may be no antecedent (then there is one point at most), a single class, or nothing left
// to separate (then Points and Words are 0). It returns an error when a
// weight is not positive and when the weights add up to more than MaxTotal.
//
// It takes time and memory proportional to the bits of the columns; what it keeps is
// proportional to the bits of the distinct points.
func FromSet(s *rules.Set) (*Instance, error) { return samplesOf(s).instance(false) }

// FromSetSeparate is FromSet without the reduction, to measure what the equivalent points bound is
// worth: every sample is a point of its own, of its own label and weight, and the base is 0.
// The invariant that no two points satisfy the same antecedents does not hold, all others
// do. Each list has the same errors, so the same list is smallest.
func FromSetSeparate(s *rules.Set) (*Instance, error) { return samplesOf(s).instance(true) }

// samplesOf returns the samples of a set.
func samplesOf(s *rules.Set) *tableSamples {
	columns, d := deriving(s)
	return &tableSamples{
		len(s.Antecedents), wordsOf(columns), d, s.Data.ClassOf, s.Data.ClassCount(), s.Data.Weights, s.Data.Gains,
	}
}

// PointsFromSet groups the samples of a data set by its antecedents, with all of
// its classes: column a is antecedent a of s. It returns the errors of FromSet.
func PointsFromSet(s *rules.Set) (*Points, error) {
	p, err := PointsWithoutColumns(s)
	return p.WithColumns(), err
}

// PointsWithoutColumns is PointsFromSet without columns, for searches that put the points in an order of their own.
func PointsWithoutColumns(s *rules.Set) (*Points, error) { return samplesOf(s).points() }
