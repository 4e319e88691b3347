// Package rashomon checks proofs that a file has all good rule lists: every plain list with an
// objective of at most a threshold, and no other. It counts them by itself. Begin with [Open] and
// [Proof.Check].
//
// It shares no code with the search. All counts are taken from the samples, put together if
// they satisfy the same antecedents. docs/proof-format.md has the file byte by byte.
//
// # The argument
//
// Costs are in units of 1/(den·N), beyond what every list loses. The label of a group is the class
// that costs nothing there; what a rule gains is the largest costs of what it captures, less those of its label. V(u)
// is the least cost of a default for
// the groups u, or of rules and a default. d(u) is the least cost of a prefix in the graph that leaves u.
//
// Weights. Each weight y(Q) stands for a set Q of groups with costs, of several labels. No group bears
// more than what any class but its label costs, and no rule (s,q) that gains more than P bears more than P, over
// the Q of which it captures some groups, all of label q. Then V(u) is at least the sum
// of y(Q) over Q within u: a completion that gets all of Q right has a rule that is pure on
// Q, the first one that touches it. A least completion has no rule that gains at most P.
//
// Lemmas. V(w) ≥ lo, if the default costs lo at least, and each rule s that gains more than P
// costs, with what is known of V(w∖s), lo at least. The sets shrink, so a lemma rests on
// smaller ones.
//
// States. For each state u, from the smallest on: every completion of u that costs at most T − d(u), and
// is plain, is a path of the graph. For of a first rule (s,q) that is no edge of u one of these holds:
//
//   - d(u) + cost + what is known of V(u∖s) exceeds T;
//   - d(u) + V + P − g_q(s∩u) exceeds T, with V the least completion of u in the graph, or
//     T − d(u) + 1 if that is less. Of the completions within T that begin with a rule that is no edge take
//     one of the fewest rules. It costs less than V − P + g_q, so without the rule it costs less than
//     V. That is within T, so it begins with a rule that is no edge, too, and has fewer rules.
//
// Of a state u∖s, V is at least the smaller of its least completion in the graph and T − d + 1.
package rashomon
