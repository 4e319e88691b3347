// Package prune says which prefixes of rule lists a search need not look at. It has a file for each pruning, which begins
// with the argument why it is sound, and what a worker knows of a prefix: a [Frame] with the counts of all columns.
//
// Begin with pruning.go: the five moments at which a pruning is asked, and the table of all. They are given a [Context]. A worker makes
// a [Set] of its own by [New].
//
//	frame.go          a prefix, the points that it leaves, counts; its children
//	pruning.go        the interfaces and the table
//	context.go        what a pruning is given; what a worker has done, and what that costs; accounts of what checks cost and save
//	NAME.go           a pruning, with its argument:
//
//	1 bound       the incumbent beats every completion (problem/bound.go)
//	2 support     a rule gains too little (problem/support.go)
//	3 commuting   neighbours stand in the wrong order
//	4 symmetry    another prefix leaves the same set (search/symmetry.go)
//	5 dominance   another prefix leaves a similar set; posts.go has those of other workers
//	7 lookahead   no grandchild can beat the incumbent
//	8 redundant   rules behind it make a rule useless
//	10 separation an LP over sets of points bounds every completion; accounts.go says what that may cost
//	11 split      costs of points, split among pairs, bound every child
package prune
