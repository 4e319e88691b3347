// Package graph finds all good rule lists or trees of a problem, counts them and answers questions about all of them at once.
// Begin with [BuildLists] and [BuildTrees].
//
// A list is plain if every rule captures a sample, and the default captures a sample and has another
// label than the last rule; otherwise a shorter list does the same. BuildLists finds every plain
// list, with any labels, whose objective is at most a threshold: the Rashomon set (Fisher, Rudin
// and Dominici, JMLR 2019).
//
// The types to know: a [Problem] has points, antecedents and costs; a [Set] is an AND/OR graph of sets of points, whose choices
// are the models; a [Model] is one of them. A list is a tree of which one side of each split ends.
//
// # The graph of lists
//
// What a list does with the points that a prefix leaves depends only on these points. So
// states are sets of distinct points, also of those where the classes weigh the same. An
// edge (u,s) leads from u to u∖s, if s captures a sample of u and leaves one. With label q it costs P
// + g_¬q(s∩u): the price of a rule and what its label gets wrong. A list ends behind an
// edge of label q with another default. Every plain list is one path, and conversely.
//
// Let d(u) be the least cost of a prefix that leaves u, and V(u) that of a completion. A
// state u belongs to the graph if d(u) + V(u) is within the threshold. build.go and
// value.go have the arguments; trees.go has those of trees.
//
// # Other ways to count
//
// A list whose objective is less than a rule's price above the optimum has no idle rule.
// Deleting an idle rule changes no prediction, so the list without it would be better than
// the optimum (T6). With a larger threshold the set fills with lists that have idle rules.
// Lists that predict the same everywhere are one classifier.
package graph
