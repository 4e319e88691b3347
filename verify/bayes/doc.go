// Package bayes checks proofs that a Bayesian rule list has the largest posterior:
// that no list on the antecedents comes before the one that a proof file claims.
//
// It shares no code with the search. Logarithms are tabulated anew with math/big, and sets
// of samples are rebuilt from the samples. Whole sets are compared, and no hash is trusted.
// Everything is counted by plain loops. Begin with [Open] and [Proof.Check].
// docs/proof-format.md has the file byte by byte.
//
// # The argument
//
// F is the logarithm of the posterior, a sum of entries of tables in units of 2^−32 nats
// (tables.go); lists are ordered by F, then fewer rules, then antecedents. The proof is a
// tree of prefixes, those that are expanded. For each one the checker takes all antecedents
// as a next rule. The list that ends there must not come before the claimed one. The lists
// that continue behind it must be expanded in the proof or be closed. They may be closed by
// the bounds on F, from the counts of the prefix or of the child (bounds.go). They may be
// closed because the last two rules in the other order come first. Or another prefix, which
// the proof names, closes them. It leaves the same samples and used as many antecedents of
// each cardinality. It has a larger sum, or as large a one and smaller antecedents.
//
// Suppose that some list comes before the claimed one, and let d be the first of all in the
// order. Follow its prefixes. The empty one is expanded. The next one is not closed by a bound,
// as d is at least as good as the claimed list; nor by exchange or by another prefix,
// as that would give a list before d. So it is expanded, and so on to d itself, which the checker has
// compared with the claimed list.
package bayes
