package instance

import (
	"parcorels/bitvec"

	"github.com/bits-and-blooms/bitset"
)

// Instance is the reduced problem. It is immutable once made and may be
// shared between goroutines; the package comment gives layout and invariants.
type Instance struct {
	Samples     int   // samples it was made from
	Separate    bool  // each of them is a point of its own (NewSeparate)
	Total       int64 // N, the weight of all samples
	Weight1     int64 // the weight of the samples of label 1
	Base        int64 // errors, in weight, that no model avoids
	Points      int   // U, the distinct points of cost > 0
	Antecedents int   // M, the number of columns

	Words   int        // words of a set of points
	Words1  int        // how many of them, the first ones, hold class 1
	Columns [][]uint64 // Columns[a] is the set of points that satisfy antecedent a

	Costs  []int64        // by bit position (64·Words): the cost of the point there, 0 for padding
	Planes *bitvec.Planes // Costs as bit planes
	Gains  *Gains         // of more than two classes (classes.go); nil: there are two
}

// MaxTotal is the largest total weight of an instance, 2^62 − 1.
const MaxTotal = 1<<62 - 1

// New reduces samples to an instance. Columns[a] holds the samples that
// satisfy antecedent a, labels those of label 1; all have samples bits.
// Weights holds the positive weight of every sample, nil means that each
// weighs 1.
//
// There may be no column at all (then there is one point at most), a single
// class, or nothing left to separate (then Points and Words are 0). New
// returns an error when the lengths disagree, when there is no sample, when a
// weight is not positive and when the weights add up to more than MaxTotal.
//
// It takes time and memory proportional to the bits of the columns; what it
// keeps is proportional to the bits of the distinct points.
func New(columns []*bitset.BitSet, labels *bitset.BitSet, weights []int64, samples int) (*Instance, error) {
	return reduce(newGrouping(len(columns), 2), len(columns), columns, binary(labels), weights, samples)
}

// reduce makes the instance of the points that g finds by columns, which are those of the
// keys of all antecedents. It makes no Points in
// between: their columns would be as large as those of the instance.
func reduce(g *grouping, antecedents int, columns []*bitset.BitSet, l labelling, weights []int64, samples int) (*Instance, error) {
	if err := l.check(columns, weights, samples); err != nil {
		return nil, err
	}
	total, byClass, err := l.weigh(weights)
	if err != nil {
		return nil, err
	}
	g.addAll(columns, l, weights, samples)
	in := &Instance{Samples: samples, Separate: g.separate, Total: total, Weight1: byClass[1], Antecedents: antecedents}
	in.lay(&g.keyed)
	return in, nil
}

// NewSeparate is New without the reduction, to measure what the equivalent points bound is
// worth: every sample is a point of its own, of its own label and weight, and the base is 0.
// The invariant that no two points satisfy the same antecedents does not hold, all others
// do. Each list has the same errors, so the same list is smallest.
func NewSeparate(columns []*bitset.BitSet, labels *bitset.BitSet, weights []int64, samples int) (*Instance, error) {
	g := newGrouping(len(columns), 2)
	g.separate = true
	return reduce(g, len(columns), columns, binary(labels), weights, samples)
}
