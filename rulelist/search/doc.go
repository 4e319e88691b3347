// Package search finds the rule list that minimises misclassification + λ·length, and
// proves that no other list is smaller (CORELS: Angelino, Larus-Stone, Alabi, Seltzer,
// Rudin, JMLR 2018). Begin with [Solve]. It is a client of package parallel, the engine.
// Four types to know: [Options] says how to search. [Result] is the best list with what is
// proved about it. [Checkpoint] and [Proof] say what is kept on disk.
//
//	points, err := instance.FromSet(set)
//	options := search.Options{Lambda: ratio.New(1, 100)}
//	result, err := search.Solve(ctx, points, options)
//	list, err := result.Model(set, &options, "", dataset.Options{}) // status, rules, bound
//
// λ is the rational Num/Den and N the total weight. Every cost, bound and objective is
// the integer Den·errors + Num·N·length. Floating point orders work, but decides nothing.
// A search takes at most 2^16 antecedents and 2^32 open prefixes, and Den·N < 2^60.
//
// # Reading the source
//
// Package problem has the points, the columns and the order of lists. Package first finds the first
// incumbent. Package separation bounds all lists by an LP.
//
//	search.go, options.go, result.go, progress.go   the entrance, and what it returns
//	first.go            how long the first incumbent is looked for
//	trial.go            a search is begun anew with the root's bound if it gets long
//	limit*.go           what a limit of rules changes; how to do without it
//	explore*.go         a worker: prefixes from the queue, their children, dives, order
//	classes*.go         what is otherwise where there are more than two classes
//	checkpoint*.go      saving, reading, and putting prefixes back
//	block*.go           parts of a search for several processes: dividing them, their proof
//	proof*.go           the recorder that all prunings are given, and the file
//	prune_NAME.go       a pruning, with the argument why it is sound:
//
//	1 bound       the incumbent beats every completion (problem/bound.go)
//	2 support     a rule gains too little (problem/support.go)
//	3 commuting   neighbours stand in the wrong order
//	4 symmetry    another prefix leaves the same set
//	5 dominance   another prefix leaves a similar set
//	7 lookahead   no grandchild can beat the incumbent
//	8 redundant   rules behind it make a rule useless
//	10 separation an LP over sets of points bounds every completion
package search
