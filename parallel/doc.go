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
//	10 orbits.go     a symmetry of the instance maps the prefix to a smaller one
//
// Theorem 20 of the paper (equivalent points) is done once and for all by
// package instance.
//
// # Shutdown
//
// A search ends in one of two ways, and search.stop says in which: it goes from
// running, or pausing, to one reason, once (halt). Either a worker proves that
// no prefix is open; or the monitor, on a timer or a cancelled context, or a
// worker at the node limit, stops it.
//
// That an end is found. A prefix is open from when it is counted in
// counters.inserted, before anybody else can see it, until it is counted in
// counters.finished, after its children are counted (counters.go). Where the
// sums are equal, nothing is open and nothing can become open. A worker asks
// for the sums only when it has nothing in its hands and has found every shard
// empty, and the worker that finishes the last prefix comes to that point: it
// finds nothing more to take, and parks (idle.go). Whoever parked before it saw
// sums that differed and waits for a token or for the end.
//
// That nobody waits for ever. While prefixes are open, each is in a shard, in
// the backlog of a checkpoint, or in the hands of a worker that is not parked.
// Of a worker that parks and a pusher one sees the other (below), every take
// that leaves something wakes one more, and the backlog only shrinks, so it
// needs no wake-up. Each prefix takes finite time, and the tree is finite, for
// no prefix has an antecedent twice. At the end halt closes idle.done, for
// which everyone who is parked waits too.
//
// That everybody comes back. Workers look at stop before every prefix and every
// child, and where a matrix is so large that a pass over it takes longer than
// some milliseconds, between slices of it. Solve waits for all workers, then
// for the monitor, which ends when the workers have: no goroutine outlives the
// call. While the workers stand still for a checkpoint they wait at a gate that
// the monitor opens in every case (pause.go).
//
// That what was cut short is not lost. A prefix whose examination the end cut
// short is never counted as finished, so the bound that is reported covers it
// (levels.go), the search is not called optimal, and a checkpoint has it. In the
// proof it has no record yet (prooffile.go).
//
// # Ordering of memory
//
// All words that goroutines share without a lock are typed atomics. Go orders
// their operations sequentially: there is one order of all of them that every
// goroutine agrees with, and what a goroutine did before a write is seen by
// whoever reads what was written. Two patterns rest on it.
//
// Publishing: fields are written, then an atomic or a lock lets others see
// where they are, and they are not written again before nobody can be reading
// them (which is what epochs are for, package trie). So nodes go through a slot
// of the map or a shard, solutions through incumbent.best, tables of the map
// through part.table and table.next, blocks of dominators through the ring,
// chunks through the arena's directory.
//
// Store, then look: of two goroutines that each write one word and then read
// the other's, at least one sees the other's write. On that rest parking
// (waiting and size), pinning (pinned and epoch), retirement (generation and
// epoch) and the counts (inserted and finished).
//
// What each atomic is for:
//
//	atomic                 written by                read by              what it carries
//	search.stop            whoever ends or pauses    workers              the reason; close of idle.done follows the one CAS that sets it
//	search.taken           workers                   workers              expansions begun; a ticket each, so a node limit is exact
//	incumbent.best         workers, first.go         everyone             a whole immutable solution, so that objective and length are of one list
//	counters.inserted      its worker                whoever parks, monitor  counted before the push that publishes the prefix
//	counters.finished      its worker                whoever parks, monitor  counted after the children were; readers sum it before inserted
//	levelCounts.*          its worker                monitor              the same for each level of the bound, lowest level first
//	counters, the others   its worker                monitor              statistics, each by itself
//	shard.best             pushers, poppers, locked  workers              a hint which shard to pop from; the lock decides
//	shard.size             pushers, poppers, locked  workers              a hint where to look, and half of the wake-up: written before waiting is read
//	shard.waits            workers                   monitor              statistics
//	idleness.waiting       workers that park         pushers, poppers     the other half: written before the sizes are read
//	backlog.left           takers, locked            workers              whether to take the lock
//	budget.used            workers                   workers, monitor     the memory; a CAS, so that it never passes the limit
//	budget.peak            workers                   monitor              statistics
//	part.table             who moved the last stride everyone             the first table that may hold a key of the part
//	table.next             one worker that grows     everyone             the empty, larger table; from then on no slot of this one is claimed
//	table.claimed          workers that claim        workers that claim   about how full the table is; late counts let it grow later
//	table.cursor           workers that move         workers that move    a ticket for each stride
//	table.moved            workers that move         workers that move    counted after the stride's entries are in the next table
//	slot.hi                one claim, or a mover     everyone             half a key for good, or that there will be none
//	slot.lo                one owner, or a mover     everyone             the other half: who sets it owns the slot for its key
//	slot.ref               owners of the key         everyone             the smallest prefix, whose node was written before; the top bit ends this slot's life
//	symmetryMap.retries    workers                   monitor              statistics
//	recentRing.slots       workers                   workers              a full block, immutable while it is in the ring and for two epochs after
//	recentRing.next        workers                   workers              a ticket for each place, and a hint which block is the newest
//	Arena.top, directory   growers, locked           everyone             a chunk; it is there before any id of it is given out
//	Arena.epoch            who retires or asks       workers              moves on only when every pinned worker has seen it
//	Handle.pinned          its worker                who moves the epoch  the epoch that the worker may still be reading in
//	Node.state             expander, killers         everyone             open, expanded, closed, dead; who takes it from closed releases the node
//	Node.generation        who retires the node      everyone             part of every Ref: a Ref of an earlier one resolves to nothing
//	Node.references        makers of children, releasers  releasers       who takes it to zero retires the node
//
// Locks: shard.mu guards a queue, Arena.mu the chunks and the exchange of free
// nodes, backlog.mu the backlog, pause.mu who is busy, proofWriter.mu the file.
// Nobody holds two of them, and none is taken for each child. While a
// checkpoint is written nobody is busy (pause.go); the mutex of the pause
// orders what the workers did before it.
//
// # Limits
//
// 2^16 antecedents, 2^32 open or kept prefixes, Den·N < 2^60, and M·W words
// for each of two matrices (the columns and their complements): 10^7 distinct
// points and 1,000 antecedents take 2.5 GB. With many sockets, the first
// things to suffer are the allocation of all tables on the node of the thread
// that grows them, and the incumbent's cache line while it improves often.
package parallel
