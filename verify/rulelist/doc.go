// Package rulelist checks proofs of optimality: that no rule list is smaller than
// the one that a proof file claims to be the smallest. Begin with [Open] and
// [Proof.Check].
//
// It shares no code with the solver and none of its data: what the claimed list
// gets wrong is counted sample by sample, and everything else by plain loops over
// the samples, put together if they satisfy the same antecedents. It imports of this
// program only what makes the samples and the antecedents: dataset, rules,
// rulelist, ratio. docs/proof-format.md has the file byte by byte.
//
// # The argument
//
// Lists are compared by objective, then number of rules, then the indices of
// their antecedents: a strict total order. λ is positive, so only finitely many
// lists are no larger than the empty one, and there is a smallest list S of
// all. Suppose that S is smaller than the claimed list L*. [Check] goes down
// the prefixes of S from the empty one, whatever S is, because it goes down all
// of them. At each prefix P it has made sure of one of these:
//
//   - P+s is useless or commuting: then a smaller list than any that begins
//     with P+s can be written down, so S does not begin with it (domination.go,
//     commuting.go).
//   - P+s is bounded: every longer list that begins with it is larger than L*,
//     and P+s itself was compared with L*, so S does not begin with it (bound.go).
//   - P+s is dominated: some prefix A is named, and A with the rest of S behind
//     it is smaller than S, so S does not begin with P+s (domination.go).
//   - P+s is closed: all its extensions are useless, commuting or bounded, and
//     neither they nor P+s itself are smaller than L* (closed.go).
//   - P+s is expanded: it was compared with L*, and its own extensions have been
//     through this list (expanded.go).
//
// S ends somewhere, and every prefix at which it could end was compared with
// L*. So no such S exists. Records only say where to look: one that is missing or
// false leads to a refusal. Records that the argument has no use for are checked too.
//
// A proof is data from elsewhere: reading one never panics, and takes memory in
// proportion to the bytes that are there, not to what they say.
package rulelist
