// Package goodmodels checks proofs that a file has all good models: every plain rule list, or every tree, with an objective of
// at most a threshold, and no other. It counts them by itself. Begin with [Open] and [Proof.Check].
//
// It shares no code with the search. All counts are taken from the samples, put together if
// they satisfy the same antecedents. docs/proof-format.md has the file byte by byte.
//
// # The argument
//
// Costs are in units of 1/(den·N), beyond what every model loses. The label of a group is the class that costs nothing there.
// A rule gains the largest costs of what it captures, less those of its label. A list is a tree: the side of
// a split where the antecedent holds always ends, by a rule. Every end costs P and what it gets wrong, so a list costs P
// more than its objective says, and so does T.
//
// A state is a set of groups, and a split of it leads to the states of its sides. V of a set is the least cost of a model
// there. L of a state is the least cost of a model of the graph. The room of a state is the largest that splits above
// give it: that of all groups is T, and a split gives each side the room of the set less L of the other.
//
// Known of a set are the cost of its best end or, if less, two ends without error; L, if it is a state; lemmas "V ≥ lo" of
// sets with the same costly groups; and for lists the weights.
//
// Weights. Each weight y(Q) stands for a set Q of groups with costs, of several labels. No group bears
// more than any class but its label costs, and no rule (s,q) that gains more than P bears more than P, over
// the Q of which it captures some groups, all of label q. Then V(u) is at least P and the sum
// of y(Q) over Q within u: a completion that gets all of Q right has a rule that is pure on
// Q, the first one that touches it. A least completion has no rule that gains at most P.
//
// Lemmas. V(w) ≥ lo, if each end costs lo at least, and so do both sides of each split by what is known of them. For lists
// only splits count whose rule gains more than P.
//
// States. Every state has room for L at least. For each split that a state does not have, both sides cost more than its
// room by what is known of them. For lists it is enough that L + P − g exceeds the room, where g is what the rule gains.
//
// Claim A: L of each state is V, and the lemmas hold. V depends only on the groups that cost something. By induction over
// their number: take a least model with the fewest ends. Both sides of its first split have fewer costly groups, as a side
// without any costs P and saves nothing, and the rule of a list gains more than P. If the state has the split, L is at most
// V. If not, V exceeds the room by what is known of the sides; but L is the cost of a model, and the room has place for it.
// Likewise for a lemma.
//
// Claim B: each model on a state that costs at most its room is one of the graph. By induction over sizes of sets, let it
// begin with a split. If the state has the split, the sides cost L of theirs at least, so each is within its state's room
// and of the graph. If not, the sides cost more than the room. Or the rule of a list gains g with L + P − g beyond the room:
// without it the list costs P − g less at least, and L at least.
package goodmodels
