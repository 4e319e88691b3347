// Package tree checks proofs that a decision tree is optimal: that no tree on the
// features comes before the one that a proof file claims.
//
// It shares no code with the search: sets of samples are rebuilt from the samples,
// whole sets are compared and no hash is trusted, and everything is counted by
// plain loops. Begin with [Open] and [Proof.Check]. docs/proof-format.md has the
// file byte by byte.
//
// # The argument
//
// With λ = num/den and N the total weight, objective(T) = den·errors + num·N·leaves.
// Trees are compared by objective, then leaves, then the features in preorder, the
// side with the feature first. The value of a tree is K·objective + leaves. K is
// so large that the tree with the smallest value has the smallest objective, and
// of those the fewest leaves (check.go).
//
// A record claims that no tree on some set S of samples, with some number of
// splits left on a path, has a value below its bound. [Proof.Check] makes sure of
// every record from its own counts of S and from records on smaller sets: a tree on
// S is one leaf, and the value of that is counted; or it begins with a feature f
// and has a tree on each side. The value of a side is at least what its own
// counts give: the best tree of one or two leaves, three leaves of which one has
// the least error that a part of the side may have, or four leaves without error;
// or what a record on the same set claims. Sets shrink strictly on the way
// down, so by induction over their sizes all records are true.
//
// The record on all samples must claim the value of the claimed tree. Then no tree
// has a smaller objective, nor as small a one with fewer leaves. And at each split
// of the claimed tree, every smaller feature must be shown to give a larger value
// than the subtree there has: so no tree of the same value comes before it in
// preorder. A leaf must predict the first of the heaviest classes.
package tree
