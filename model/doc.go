// Package model is what learned models of every family share: the columns that
// they look at, what they captured in training, and strict files. Begin with
// [Model], the interface that a rule list, a tree, a rule set and a Bayesian rule
// list implement. Package predict predicts with any of them, evaluate measures
// predictions, and explain says why, and what would change them.
//
// # Cases
//
// Whatever its family, a model decides by [Case]s. They are tried in order, and
// the first whose literals all hold decides the row. The last case always holds.
//
//   - A rule list has a case per rule, and the default without literals.
//   - A rule set has a case per rule, and the default.
//   - A tree has a case per leaf, in preorder, the side where the test holds first. The
//     literals of a case are only the tests that hold on the way to the leaf. A row that
//     fails one of them is decided by a later case. So the tests that do not hold on the
//     way need not be asked. [Case.Path] has both, for people.
//
// # How a family implements Model
//
// Its model is a struct that embeds [Origin], its own bounds (families that minimise errors
// + λ·size embed [Optimum]) and [Frame]. Its own fields follow. The order of embedding is
// the order of keys in the file. [NewFrame] fills the frame, [Frame.Literals] translates
// antecedents and collects their columns, and a [Counter] counts what each case captures.
// Check gives each part to be checked: [Origin.Check], [Frame.Check],
// [Frame.CheckLiterals], [Frame.CheckCounts], [Optimum.Check]. Files are written and read
// by a [Codec]; see package rulelist for all of it in use.
//
// # Invariants
//
//   - A model never changes once it is made or read.
//   - Every sample of the training data is decided by exactly one case: the
//     counts of the cases add up to those of the data.
//   - Nothing in a file makes reading it or predicting with it panic, or take
//     more memory than the file has bytes, up to a factor.
package model
