// Package instance reduces labelled, weighted samples to the points that a
// search has to tell apart. [Points] keeps the weight of each class at every
// distinct point, for trees, posteriors and probabilities; begin there. An
// [Instance] is its cost reduction, in the layout of the kernels of package
// bitvec, for searches that count errors.
//
// # The reduction
//
// Samples that satisfy exactly the same antecedents can never be told apart by
// a model that is built from these antecedents. They are grouped into one
// point e, with weight w1(e) of label 1 and w0(e) of label 0. Whatever a model
// predicts for e, it pays at least min(w1, w0), so with
//
//   - base = Σ min(w1, w0), the errors that no model avoids (the equivalent
//     points bound: Angelino et al., JMLR 2018, Theorem 20),
//   - class(e) = the heavier label and cost(e) = |w1 − w0|,
//
// the errors of any model are base + Σ cost(e) over the points for which it predicts the
// other class. Points of cost 0 never matter and vanish. The rest has no noise, and
// sample weights cost nothing. With more classes, package costs says what each label gains.
//
// # Layout of an Instance
//
// A set of points is a []uint64 of Words words: point i of a class is bit
// i%64 of word i/64 of its class. Class 1 fills the first Words1 words, class 0
// the others, so each class begins on a word boundary; within a class the
// points come heaviest cost first and, at equal cost, in the order of their
// first samples. The bits behind the last point of a class are padding: they
// are zero in every column and cost 0.
//
// # Reading the source
//
// Files depend on those before them alone: keyed.go (points by key) and samples.go (samples become
// points); instance.go and layout.go; points.go; reduce.go, which makes instances and points.
//
// # Invariants
//
//   - No two points satisfy the same antecedents, and every point costs > 0.
//   - Total < 2^62, so no sum of costs overflows; of two classes it is 2·Base + Σ Costs.
//   - The instance depends on the samples and their order alone: equal input
//     gives equal words.
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
