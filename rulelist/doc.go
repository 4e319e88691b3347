// Package rulelist is a learned rule list: its rules, what each of them captured
// in the data, and everything that it takes to predict on new raw tables. Begin
// with [New], which makes one of what a search returned, or [Codec].
//
//	if   head_shape = round and body_shape = round     then yes   (…)
//	else if jacket_color = red                         then yes   (…)
//	else                                                    no    (…)
//
// A [Model] is a list of rules, tried from the first to the last, and a
// default that predicts what none of them captures; both are a [Line]. A rule
// is a conjunction of literals, each a [dataset.Test] of one raw cell or its
// negation, so that a model needs no data set to predict.
//
// # From a search to a model
//
// [New] takes the rules that a search returned, by antecedent and class, and counts from
// the captured sets and labels themselves what they do. The objective that the search
// claims must come out of these counts. So the figures of a model are as reliable as the
// data. A certificate proves that no list is better.
//
// # Files and predictions
//
// [Model.Encode] writes one JSON object with a format name and version, and [Codec]
// accepts only a complete and consistent one. A Model implements model.Model:
// the packages beside that one predict with it, evaluate it and explain it. A table
// made of .out antecedents is no special case: its columns are the antecedents,
// its cells 0 and 1.
//
// # Invariants
//
//   - Every sample is captured by exactly one line: the counts of the lines
//     add up to those of the data.
//   - Objective = (weight of errors)/(total weight) + λ·(number of rules), and
//     0 ≤ lower bound ≤ objective; they are equal if the status is "optimal".
//   - Every literal's column is among the model's columns.
package rulelist
