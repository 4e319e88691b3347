package instance

import (
	"parcorels/bitvec"
	"parcorels/costs"
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

// Matrix returns the columns as a matrix, which counts all of them in a set at once.
func (in *Instance) Matrix() *bitvec.Matrix {
	m := bitvec.NewMatrix(len(in.Columns), in.Words)
	for i, c := range in.Columns {
		m.Set(i, c)
	}
	return m
}
