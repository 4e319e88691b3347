// Package numeric checks proofs that a decision tree over all thresholds is the smallest of its
// data. Begin with [Open], then [Proof.Check].
//
// It shares no code with the search. A proof has, for each split of the tree with three levels
// and more left, a list of places of each column. The checker solves both sides of each place
// and makes sure that no place between can be better:
//
// Let L(p) and R(p) be the least values of trees on both sides of place p, and w(p, q) the
// weight between two places. A tree of a set also serves its subsets. On a larger set it
// errs in addition by at most what is added. So for a < p < b
//
//	L(p) ≥ max(L(a), L(b) − unit·w(p, b)),   R(p) ≥ max(R(b), R(a) − unit·w(a, p)).
//
// Sets with two levels are solved by this package alone (two.go): each place that this bound
// leaves open is looked at, and both of its sides are solved by one split each, sample by sample.
// Sets with three levels and more below the first have bounds of their own in the proof, and lists
// that show them. docs/proof-format.md has the bytes.
package numeric
