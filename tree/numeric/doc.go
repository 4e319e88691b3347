// Package numeric finds the optimal decision tree over all thresholds of columns of numbers, and
// proves that no tree is better.
//
// A split divides a set of samples at a place in the order of one column. Samples in front
// of the place go to the left. A flag is a column of two values. The objective is errors /
// total weight + λ · leaves. [Solve] returns the smallest of all trees of a depth at most
// [Options.Depth]. Trees are ordered by objective, then leaves, then splits in preorder,
// the left side first. Splits are compared by column and then by place. A leaf comes before
// any split. The answer does not depend on workers or timing.
//
// Begin with [NewTable] and [Solve]. Then read these files. state.go has the types that all share. set.go bounds the places
// between two others. deep.go has the recursion over sets. outline.go says what sets tell
// about each other. sweep.go solves sets with two levels left, which takes nearly all
// the time; rough.go has faster bounds for large weights. extract.go chooses among equal trees.
//
// The sets at the bottom are solved in O(F²·(n + cells)) for F columns, and not in the square of
// the number of thresholds. Related: Briţa, van der Linden and Demirović, Optimal
// Classification Trees for Continuous Feature Data Using Dynamic Programming with
// Branch-and-Bound (AAAI 2025), whose bounds between neighbouring thresholds set.go widens.
package numeric
