// Package tree is a learned decision tree: its splits and leaves, what each of
// them held in the data, and everything that it takes to predict on new raw
// tables. Begin with [New], which makes one of what a search returned, or [Codec].
//
//	if jacket_color = red
//	├─ then yes                    (108 of 432 samples, 100.0% right)
//	└─ else if head_shape = round
//	   ├─ then …
//
// A [Model] holds its nodes in preorder: a split, then the side where its test
// holds, then the other side. The test of a split is a conjunction of literals,
// most often one, each a [dataset.Test] of one raw cell or its negation.
//
// # Predictions
//
// A Model implements model.Model with a case for each leaf, so the packages beside it
// predict with it, evaluate it and explain it. A cell that cannot be
// judged goes to the side where the test does not hold.
//
// # Invariants
//
//   - Every sample reaches exactly one leaf, and the counts of a split are those
//     of its two sides together.
//   - Objective = (weight of errors)/(total weight) + λ·(number of leaves), and
//     0 ≤ lower bound ≤ objective; they are equal if the status is "optimal".
//   - Every literal's column is among the model's columns.
package tree
