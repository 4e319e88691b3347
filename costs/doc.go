// Package costs says what each label costs at each point of a set: all that searches, bounds and counts know of classes,
// weights and costs of decisions. Begin with [New].
//
// # Gains
//
// A point costs most with its dearest label. A label gains there what it costs less than that, so the dearest one gains 0,
// and the cheapest one gains the cost of the point. A set in which label q is predicted errs by Σ cost − Σ gain_q, beyond
// what the cheapest labels cost. So the label of a set is the one that gains most, the smallest of these on a tie.
//
// With two labels each point has one gain, of its cheapest label. One pass of a kernel over one list of planes counts both.
// With more labels there is a pass for each, and one for the surplus, by which the gains of a point exceed its cost. Most
// points have samples of one class, and then the surplus is 0.
//
// # Layout
//
// Points lie in words by their cheapest label (package bitvec). The last label comes first.
//
//	table.go   [Table]: costs, gains, what a set gains
//	counts.go  [Counts]: what all columns of a matrix gain in a set
package costs
