// Package rashomon finds all good rule lists of a problem, counts them and answers questions
// about all of them at once. Begin with [Build].
//
// A list is plain if every rule captures a sample, and the default captures a sample and has another
// label than the last rule; otherwise a shorter list does the same. Build finds every plain
// list, with any labels, whose objective is at most a threshold: the Rashomon set (Fisher, Rudin
// and Dominici, JMLR 2019).
//
// The types to know: a [Problem] has points, antecedents and costs; a [Set] is a graph whose paths
// are the lists; a [List] is one of them.
//
// # The graph
//
// What a list does with the points that a prefix leaves depends only on these points. So
// states are sets of distinct points, also of those where the classes weigh the same. An
// edge (u,s,q) leads from u to u∖s, if s captures a sample of u and leaves one, and costs P
// + g_¬q(s∩u): the price of a rule and what its label gets wrong. A list ends behind an
// edge of label q with the default ¬q. Every plain list is one path, and conversely.
//
// Let d(u) be the least cost of a prefix that leaves u, and V(u) that of a completion. A
// state u belongs to the graph if d(u) + V(u) is within the threshold. build.go and
// value.go have the arguments.
//
// # Other ways to count
//
// A list whose objective is less than a rule's price above the optimum has no idle rule.
// Deleting an idle rule changes no prediction, so the list without it would be better than
// the optimum (T6). With a larger threshold the set fills with lists that have idle rules.
// Lists that predict the same everywhere are one classifier.
package graph
