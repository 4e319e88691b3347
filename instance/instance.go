package instance

import (
	"parcorels/costs"

	"github.com/bits-and-blooms/bitset"
)

// Instance is the reduced problem. It is immutable once made and may be
// shared between goroutines; the package comment gives layout and invariants.
type Instance struct {
	Samples     int   // samples it was made from
	Separate    bool  // each of them is a point of its own (FromSetSeparate)
	Total       int64 // N, the weight of all samples
	Weight1     int64 // the weight of the samples of label 1
	Base        int64 // errors, in weight, that no model avoids
	Points      int   // U, the distinct points of cost > 0
	Antecedents int   // M, the number of columns

	Columns [][]uint64 // Columns[a] is the set of points that satisfy antecedent a

	*costs.Table // of the points, their costs
}

// MaxTotal is the largest total weight of an instance, 2^62 − 1.
const MaxTotal = 1<<62 - 1

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
