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
// Package problem has the points, the columns and the order of lists. Package first finds the first incumbent. Package
// separation bounds all lists by an LP. Package prune says which prefixes need not be looked at, record writes why, and save
// has the form of a checkpoint. Package blocks divides a search among processes.
//
//	search.go     the entrance, and what follows what
//	state.go      a search, and a worker: what they hold, and who writes what
//	options.go, result.go
//	first.go      the first incumbent, and better ones while the search goes on
//	root.go       the LP at the root
//	trial.go      a search is begun anew with the root's bound if it gets long; when the split bound pays
//	limit.go      what a limit of rules changes; how to do without it
//	near.go       what searches for a λ near leave
//	worker.go     a prefix from the queue; children.go: its children; dive.go: without memory; outbox.go: the queue's order
//	symmetry.go   pruning 4, the map of remaining sets
//	saver.go      what is open, and why a checkpoint of it is enough; restore.go: back
//	prove.go      a search and its proof, and its result
//	part.go       searches of parts of a problem, and parts that were given away
//	reach.go      whether some list reaches an objective
package search
