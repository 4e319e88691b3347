// Package search finds the rule list that minimises misclassification +
// λ·length, exactly, with all cores, and proves that no other is smaller
// (CORELS: Angelino, Larus-Stone, Alabi, Seltzer, Rudin, JMLR 2018). Begin with
// Solve, which takes an instance;
// Options says how to search. It is a client of package parallel, the engine.
//
// # Shape
//
// A node of the search is a prefix. Workers (worker.go) take prefixes from the
// engine's queues, count all antecedents in the set that a prefix leaves
// (frame.go, with the kernels of package bitvec), and judge every child by the
// prunings. Children that survive become nodes of a shared prefix tree (package
// trie) and go to the worker's own shard (outbox.go). A worker is made of parts: the
// frames of its dive (dive.go), a part for each pruning that has buffers, and the counts
// of the expansion at hand (counts.go). Workers share the incumbent
// (solution.go), a lock-free map from remaining sets to their smallest prefix
// (symmetry.go), a ring of recent prefixes (recent.go), and nothing else that is
// written often. When the memory budget is spent they search depth-first without
// inserting (dive.go).
//
// # Numbers
//
// λ is the rational Num/Den and N the total weight. Every cost, bound and
// objective is the integer Den·errors + Num·N·length; dividing by Den·N gives
// what people print. Floating point orders work (policy.go) and is printed,
// but decides nothing.
//
// # Prunings
//
// Lists are compared by objective, then length, then antecedent indices: a
// strict total order, in which exactly one list L* is smallest. Every pruning
// drops a prefix only if each of its completions is beaten by some strictly
// smaller list. So no prefix of L* is ever dropped, the answer is L* whatever
// the number of workers and whatever they do when, and a pruning needs no
// regard for what the others dropped. Each has a file with its argument:
//
//	1 bound.go       the incumbent beats every completion
//	2 support.go     a rule that gains too little
//	3 commuting.go   neighbours in the wrong order
//	4 symmetry.go    equal remaining sets
//	5 dominance.go   similar remaining sets
//	6 support.go     a rule that leaves too little
//	7 lookahead.go   no grandchild can beat the incumbent
//	8 redundant.go   a rule made useless by those behind it
//	9 orbits.go      an automorphism of the instance maps the prefix to a smaller one
//	10 separation.go an LP over pairs of points bounds every completion
//
// Theorem 20 of the paper (equivalent points) is done once and for all by
// package instance.
//
// # Shutdown and checkpoints
//
// That the search ends, and that everybody comes back, is argued in package
// parallel. Its conditions hold: a prefix takes finite time, and the tree is
// finite, for no prefix has an antecedent twice; the backlog of a checkpoint
// (backlog.go), which Next asks when every shard is empty, only shrinks. Where a
// matrix is so large that a pass over it takes longer than some milliseconds, a
// worker asks between slices of it whether the run goes on.
//
// A prefix whose examination the end cut short stays open: a checkpoint has it,
// and in the proof it has no record yet (prooffile.go).
//
// # Ordering of memory
//
// The words that workers share beside the engine's are typed atomics as well.
// Fields of what is published are written before, and not written again before
// nobody can be reading them, which is what epochs are for (package trie). So
// nodes go through a slot of the map or a shard, blocks of dominators through the
// ring, chunks through the arena's directory. Pinning (pinned and epoch) and
// retirement (generation and epoch) rest on "store, then look", as parking does.
//
//	atomic                 written by                read by              what it carries
//	counts.*               its worker                monitor              statistics, each by itself
//	backlog.left           takers, locked            workers              whether to take the lock
//	recentRing.slots       workers                   workers              a full block, immutable while it is in the ring and for two epochs after
//	recentRing.next        workers                   workers              a ticket for each place, and a hint which block is the newest
//	Arena.top, directory   growers, locked           everyone             a chunk; it is there before any id of it is given out
//	Arena.epoch            who retires or asks       workers              moves on only when every pinned worker has seen it
//	Handle.pinned          its worker                who moves the epoch  the epoch that the worker may still be reading in
//	Node.life, states      expander, killers         everyone             open, expanded, closed, dead; who takes it from closed releases the node
//	Node.life, references  makers of children, releasers  releasers       who takes them to zero retires the node
//	Node.generation        who retires the node      everyone             part of every Ref: a Ref of an earlier one resolves to nothing
//
// Locks: Arena.mu guards the chunks and the exchange of free nodes, backlog.mu
// the backlog, proofWriter.mu the file. Nobody holds two of them, and none is
// taken for each child.
//
// # Limits
//
// 2^16 antecedents, 2^32 open or kept prefixes, Den·N < 2^60, and M·W words
// for the matrix of columns: 10^7 distinct
// points and 1,000 antecedents take 1.3 GB.
package search
