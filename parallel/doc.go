// Package parallel finds the rule list that minimises misclassification +
// λ·length, exactly, with all cores, and proves that no other is smaller
// (CORELS: Angelino, Larus-Stone, Alabi, Seltzer, Rudin, JMLR 2018).
//
// # Shape
//
// Worker goroutines (worker.go) pull prefixes from sharded concurrent priority
// queues (queue.go, policy.go), count all antecedents in the set that a prefix
// leaves (frame.go, with the kernels of package bitvec), and judge every child
// by the prunings. Children that survive become nodes of a shared prefix tree
// (package trie) and go to the worker's own shard. Workers share the incumbent
// (order.go), a lock-free map from remaining sets to their smallest prefix
// (symmetrymap.go), and nothing else that is written often. When the memory
// budget is spent they search depth-first without inserting (dive.go).
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
//	8 sibling.go     another last rule is better
//	9 redundant.go   a rule made useless by those behind it
//
// Theorem 20 of the paper (equivalent points) is done once and for all by
// package instance.
//
// # Ordering of memory
//
// All shared words are typed atomics, which Go orders sequentially.
//
//   - A node's fields are plain. They are written before its ID is published,
//     through a shard's mutex or a CAS on a map slot, and read after it is
//     obtained there. They are reused only after an epoch (package trie).
//   - A solution is immutable; incumbent.best publishes it.
//   - counters: written by one worker, in an order that lets a reader prove
//     the end and a best bound (counters.go, levels.go).
//   - shard.best and shard.size are hints for choosing and for parking; the
//     mutex decides.
//   - idleness.waiting and shard.size together lose no wake-up (idle.go).
//   - search.stop goes between running and pausing, and from either to one
//     reason once; done is closed then.
//   - pause has a mutex, taken by workers only when they park, look for a
//     better incumbent, or stand still; what a worker wrote before it stood
//     still is seen by whoever writes the checkpoint, and the other way round
//     (pause.go).
//
// # Shutdown
//
// A search ends in one of two ways. Either some worker finds every shard empty
// and proves that no prefix is open (counters.go); or the monitor, on a timer
// or a cancelled context, or a worker at the node limit, sets stop. Both close
// idle.done, which wakes the parked workers; the others look at stop before
// every prefix and every child, and where a matrix is so large that a pass over
// it takes longer than some milliseconds, between slices of it. Solve waits for all workers, then for the
// monitor, which ends when the workers have: no goroutine outlives the call.
// A prefix whose examination was cut short is never counted as finished, so
// the bound that is reported covers it.
//
// # Limits
//
// 2^16 antecedents, 2^32 open or kept prefixes, Den·N < 2^60, and M·W words
// for each of two matrices (the columns and their complements): 10^7 distinct
// points and 1,000 antecedents take 2.5 GB. With many sockets, the first
// things to suffer are the allocation of all tables on the node of the thread
// that grows them, and the incumbent's cache line while it improves often.
package parallel
