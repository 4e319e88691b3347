// Package predict predicts rows of new tables with a model of any family. Begin with
// [Bind], which finds the columns of a model in a table, or with [Predict] for one row.
// [Predictor.Stream] goes through a whole table and compares it with its labels.
//
// # Cells that cannot be judged
//
// A literal is a [parcorels/dataset.Test] of one cell, or its negation. Some cells cannot
// be judged: a missing value in a column that had none in training, a text where numbers
// were. No literal holds on such a cell, negated or not: for an unknown number "priors ≤ 3"
// is as false as "priors > 3". A missing value in a column that had some in training is
// judged as it was there: only "priors missing" and negated literals hold. So is a text
// that was rare or absent in training: it equals no value that a literal asks for, so
// "shape ≠ round" holds. A tree therefore sends a cell that cannot be judged to the side
// where the test does not hold. [Options.Strict] makes such cells errors.
package predict
