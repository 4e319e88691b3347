// Package ruleset is a learned rule set: rules of which at least one must hold for
// class 1, and what is proved of them. Begin with New, which makes a model of what
// package ruleset/search returned, or with Decode.
//
//	if   jacket_color = red                            then yes   (…)
//	or   head_shape = round and body_shape = round     then yes   (…)
//	else                                                    no    (…)
//
// A [Model] implements model.Model: its cases are the rules, in the order in which they
// were found, and the default. So the first rule that holds decides a row. The order
// changes no prediction.
//
// # Invariants
//
//   - Each rule counts all samples that it covers (Covers), and those that no
//     earlier rule covers (Counts); the latter add up to the data.
//   - Value is V(S) of Yang et al. (NeurIPS 2021), equation 4, recomputed from
//     these counts; Value ≤ UpperBound, and they are equal if the status is
//     "optimal".
package ruleset
