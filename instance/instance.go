package instance

import (
	"fmt"
	"math"

	"parcorels/bitvec"

	"github.com/bits-and-blooms/bitset"
)

// Instance is the reduced problem. It is immutable once made and may be
// shared between goroutines; the package comment gives layout and invariants.
type Instance struct {
	Samples     int   // samples it was made from
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
	return reduce(newGrouping(len(columns)), columns, labels, weights, samples)
}

// reduce makes the instance of the points that g finds.
func reduce(g *grouping, columns []*bitset.BitSet, labels *bitset.BitSet, weights []int64, samples int) (*Instance, error) {
	if err := checkShapes(columns, labels, weights, samples); err != nil {
		return nil, err
	}
	in := &Instance{Samples: samples, Antecedents: len(columns)}
	if err := in.weigh(labels, weights); err != nil {
		return nil, err
	}
	g.addAll(columns, labels, weights, samples)
	for _, p := range g.points {
		in.Base += min(p.weight1, p.weight0)
	}
	in.lay(g)
	return in, nil
}

func checkShapes(columns []*bitset.BitSet, labels *bitset.BitSet, weights []int64, samples int) error {
	if samples < 1 || samples > math.MaxInt32 {
		return fmt.Errorf("an instance takes 1 to 2^31-1 samples, not %d", samples)
	}
	if labels.Len() != uint(samples) {
		return fmt.Errorf("there are %d labels for %d samples", labels.Len(), samples)
	}
	if weights != nil && len(weights) != samples {
		return fmt.Errorf("there are %d weights for %d samples", len(weights), samples)
	}
	for a, c := range columns {
		if c.Len() != uint(samples) {
			return fmt.Errorf("antecedent %d has %d bits for %d samples", a, c.Len(), samples)
		}
	}
	return nil
}

// weigh sets Total and Weight1.
func (in *Instance) weigh(labels *bitset.BitSet, weights []int64) error {
	if weights == nil {
		in.Total, in.Weight1 = int64(in.Samples), int64(labels.Count())
		return nil
	}
	for i, w := range weights {
		if w <= 0 {
			return fmt.Errorf("sample %d has weight %d: a weight is a positive number", i, w)
		}
		if w > MaxTotal-in.Total {
			return fmt.Errorf("the weights of the first %d samples add up to 2^62 or more: scale them down or give them fewer digits", i+1)
		}
		in.Total += w
		if labels.Test(uint(i)) {
			in.Weight1 += w
		}
	}
	return nil
}
