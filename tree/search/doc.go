// Package search finds the optimal decision tree of an instance and proves that
// no tree is better.
//
// A tree splits on 0/1 features and predicts a class in each leaf. Its objective is errors
// / total weight + λ · leaves. [Solve] returns the smallest of all trees on the features,
// of any depth or of a depth at most Options.Depth. Trees are ordered by objective, then
// leaves, then features in preorder, the side with the feature first. The answer does not
// depend on workers, memory, kernels or timing.
//
// Begin with [Solve] in search.go, then state.go: the types that all files share, and solve.go: the recursion over sets of
// points. Everything else serves it.
//
// # How the search works
//
//   - table.go reduces the points to costs; price.go turns errors and leaves into
//     one integer, so that every comparison is exact.
//   - bitvec.Splits counts a set: for every split, both sides as one leaf and as
//     the best tree of two leaves. This is the unit of work.
//   - solve.go keeps bounds on every set and raises them in small steps.
//   - cache.go holds the bounds of sets by a hash of 128 bits, and the splits of those
//     left not long ago.
//   - worker.go lets workers share the cache and stay out of each other's way.
//   - extract.go reads the one tree off the bounds.
//   - Workers, limits, memory budget and monitor are the engine's, package parallel
//     (limits.go). Tree and bound are valid at any moment.
//
// # Invariants
//
//   - Bounds in the cache only tighten: lower ≤ value of the best tree ≤ upper.
//     Losing an entry costs time, never correctness.
//   - A set is known by the points in it (and the levels left, when the depth is
//     limited). Its hash of 128 bits stands for it; package verify/tree trusts no
//     hash.
package search
