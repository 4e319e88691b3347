// Package graph finds all good rule lists or trees of a problem, counts them and answers questions about all of them at once.
// Begin with [Build].
//
// A list is plain if every rule captures a sample, and the default captures a sample and has another
// label than the last rule; otherwise a shorter list does the same. A tree has any classes in its leaves, splits that
// leave samples on both sides, and no two leaves of one class below one split. Build finds every plain
// list, with any labels, or every tree, whose objective is at most a threshold: the Rashomon set (Fisher, Rudin
// and Dominici, JMLR 2019).
//
// The types to know: a [Problem] has points, antecedents and costs; a [Set] is an AND/OR graph of sets of points, whose choices
// are the models; a [Model] is one of them. A list is a tree of which one side of each split ends.
//
// # The graph
//
// What a model does with the points that a path leaves depends only on these points, and on the number of splits that may
// follow. So states are sets of distinct points, also of those where the classes weigh the same. A split of u by s leads to
// s∩u and u∖s, if both have samples. An end costs P, the price of a rule or leaf, and what its class gets wrong.
//
// Let V(u) be the least cost of a model of u. A state belongs to the graph if a path leaves it room for V. build.go and
// value.go have the arguments. Files in reading order: problem, weights, value, build, set, count, tables, proof, read,
// limit, fair.
//
// # Other ways to count
//
// A list whose objective is less than a rule's price above the optimum has no idle rule.
// Deleting an idle rule changes no prediction, so the list without it would be better than
// the optimum (T6). With a larger threshold the set fills with lists that have idle rules.
// Lists that predict the same everywhere are one classifier.
package graph
