// Package short proves that no list of at most K rules is better than one that is known, or finds
// the best one, by counts of pairs of conditions. Begin with [Run].
//
// Let room(k) be the most that a list of k rules may err to come before the incumbent in the order
// (objective, length, antecedents). For k = 1, 2, 3, … all lists of k rules within room(k) are
// looked at, but for those of which another list is smaller. If there is none, the incumbent is
// the smallest of all lists of at most K rules. If there is one, it becomes the incumbent.
//
// Points are counted by what they gain (package instance): a rule of label q on the points s gains
// G_q(s), the sum over its points, and a list errs by a constant less what its rules and its
// default gain. So "right" below is a sum of gains, of two classes or more. All numbers are exact.
//
// # Arguments
//
// u is what a prefix P leaves, g_q(s) is G_q(s∩u), B the right that a list within room needs.
// R_j(P) is the most that a list which begins with P and has at most j more rules gets right.
//
//  1. Pairs. g_q(t\s) = g_q(t) − g_q(s∩t). So counts of pairs give all lists of two rules behind u,
//     and the counts of all conditions behind u\s, without a look at a point.
//
//  2. Dropped rules. Without one of its rules, a list loses at most what the rule got right. So
//     each of m rules behind P gets right at least B − R_{m−1}(P). R_0, R_1 and R_2 come with 1.
//
//  3. The first of two neighbours. If t follows s with the same label, what both hold stays right
//     without s. So B ≤ R(P, t, …) + g_q(s) − g_q(s∩t). With another label, B ≤ R(P, t, …) + g_q(s).
//
//  4. The last rule. Behind P, s, t with default r, the last rule v of label q adds D(v∩left) with
//     D = G_q − G_r and left = u\s\t. Inclusion and exclusion give
//
//     D(v∩left) = D(v) − D(v∩s) − D(v∩t) + D(v∩s∩t).
//
//     The last term is at most the least G_q of the three pairs, less what G_r has of all three at
//     least: G_r of two pairs less that of the condition in both, or 0. So pairs bound it. Only a
//     rule that passes is counted. This holds for each two of several classes.
//
//  5. Order. Where neighbours have one label, or no point in common, swapping them changes no
//     prediction. So in the smallest list they are in ascending order of their antecedents.
//
// Each argument names a list that comes before the one dropped. So the smallest list is never
// dropped, and several arguments may be used together. It follows that the incumbent at the end does not depend
// on the number of workers, nor on the memory.
//
// # The search
//
// One rule: counts. Two: all pairs; where their counts do not fit into the memory, those of blocks that
// may have a second rule (pairs.go). Three: for each first rule, argument 1 gives the counts
// behind it; for each second rule, arguments 2 to 4 take a few operations; then the last rules, in
// blocks of conditions that gain alike, of which few have one with enough gain, by a kernel
// (bitvec.Thirds). Four: the same behind each first rule, on a table of the points that it leaves
// (contexts.go). Five and more: the lists of one rule less there. Where argument 2 leaves too few
// conditions, nothing is looked at (strong.go).
package short
