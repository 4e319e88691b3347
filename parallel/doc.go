// Package parallel is the engine of every search of this module: it runs workers
// over sharded priority queues, stops them at limits, lets them stand still for
// a checkpoint, and finds out that nothing is left. It knows no family of models
// and no data; rulelist/search and tree/search are clients. Begin with NewRun and
// NewQueue; the example is a whole client.
//
// # How a client begins
//
// A client names its nodes, the subproblems that are open, by 32-bit integers,
// and gives each a lower bound that no child falls below. Then
//
//   - Run has the workers, the limits and the reason why the search ended. Its Do
//     starts work(0), work(1), … and a monitor beside them (Watch). A worker asks
//     Running within long loops and MayExpand before it expands a node.
//   - Queue has the open nodes. Each goroutine uses its Worker: Next gives a node,
//     Push takes its children, Finished says that it is done, in this order. What
//     Push has no memory for the worker searches itself, depth first.
//   - Incumbent has the best solution, for pruning; Queue.BestBound has the bound
//     to report with it; Queue.Status says whether it is proved.
//   - KeyMap remembers what is known of a subproblem by a 128-bit hash. It is
//     lock-free. Offer keeps the smallest of some values.
//   - Budget bounds the memory of all that. Allowance makes a check pay for itself.
//
// A search that is not a queue of nodes, such as depth-first search with a map of
// subproblems, takes Run, KeyMap, Budget and Incumbent, and no Queue: its workers
// return from Do when they have divided the work up and done it, and the worker that
// proves the end calls Halt(Optimal).
//
// # Shutdown
//
// A run goes from running, or pausing, to one reason, once (Halt). Either a
// worker proves that no node is open; or the monitor, on a timer or a cancelled
// context, or a worker at the limit of nodes, ends it.
//
// That an end is found. A node is open from when it is counted in
// counters.inserted, before anybody else can see it, until it is counted in
// counters.finished, after its children are counted (counters.go). Where the
// sums are equal, nothing is open and nothing can become open. A worker asks
// for the sums only when it has nothing in its hands and has found every shard
// empty, and the worker that finishes the last node comes to that point: it
// finds nothing more to take, and parks (parking.go). A worker that parked before it
// saw sums that differed and waits for a token or for the end.
//
// That nobody waits for ever. While nodes are open, each is in a shard, in what
// the client's otherwise function of Next gives out, or in the hands of a worker
// that is not parked. Of a worker that parks and a pusher one sees the other
// (below), and every take that leaves something wakes one more. What otherwise
// gives out may only shrink while workers run, so it needs no wake-up. If each
// node takes finite time and the tree is finite, the end comes; then Halt closes
// the channel for which everyone who is parked waits too.
//
// That everybody comes back. Workers look at the state before every node, and
// the client asks Running in its own loops. Do waits for all workers, then for
// the monitor, which ends when the workers have: no goroutine outlives the call.
// While the workers stand still they wait at a gate that the monitor opens in
// every case (pause.go).
//
// That what was cut short is not lost. A node whose expansion the end cut short
// is never counted as finished, so BestBound covers it and Status does not say
// Optimal.
//
// # Ordering of memory
//
// All words that goroutines share without a lock are typed atomics. Go orders
// their operations sequentially: there is one order of all of them that every
// goroutine agrees with, and what a goroutine did before a write is seen by
// every goroutine that reads what was written. Two patterns rest on it.
//
// Publishing: fields are written, then an atomic or a lock lets others see where
// they are, and they are not written again. So solutions go through
// Incumbent.best, and tables of the map through part.table and table.next.
//
// Store, then look: of two goroutines that each write one word and then read the
// other's, at least one sees the other's write. On that rest parking (waiting
// and size) and the counts (inserted and finished).
//
// What each atomic is for:
//
//	atomic               written by                read by              what it carries
//	Run.state            who ends or pauses        workers              the reason; close of Run.done follows the one CAS that sets it
//	Run.taken            workers                   workers              expansions begun; a ticket each, so a node limit is exact
//	Incumbent.best       workers                   everyone             a whole immutable solution
//	counters.inserted    its worker                who parks, monitor  counted before the push that publishes the node
//	counters.finished    its worker                who parks, monitor  counted after the children were; readers sum it before inserted
//	levelCounts.*        its worker                monitor              the same for each level of the bound, lowest level first
//	counters, the others its worker                monitor              statistics, each by itself
//	shard.best           pushers, poppers, locked  workers              a hint which shard to pop from; the lock decides
//	shard.size           pushers, poppers, locked  workers              a hint where to look, and half of the wake-up: written before waiting is read
//	shard.waits          workers                   monitor              statistics
//	parking.waiting      workers that park         pushers, poppers     the other half: written before the sizes are read
//	Budget.used          workers                   workers, monitor     the memory; a CAS, so that it never passes the limit
//	Budget.peak          workers                   monitor              statistics
//	part.table           who moved the last stride everyone             the first table that may hold a key of the part
//	table.next           one worker that grows     everyone             the empty, larger table; from then on no slot of this one is claimed
//	table.claimed        workers that claim        workers that claim   about how full the table is; late counts let it grow later
//	table.cursor         workers that move         workers that move    a ticket for each stride
//	table.moved          workers that move         workers that move    counted after the stride's entries are in the next table
//	slot.hi              one claim, or a mover     everyone             half a key for good, or that there will be none
//	slot.lo              one owner, or a mover     everyone             the other half: who sets it owns the slot for its key
//	slot.value           owners of the key         everyone             the value, whose meaning was written before; the top bit ends this slot's life
//	tables.retries       workers                   monitor              statistics
//
// Locks: shard.mu guards a queue, pause.mu who is busy. Nobody holds two of them,
// and none is taken for each child.
//
// # Libraries
//
// golang.org/x/sync runs the goroutines of a run. xsync's map and sync.Map are
// rivals of KeyMap in BenchmarkKeyMap only: the one locks a bucket for each
// write, the other keeps values in boxes. The kernels that a client counts with
// are chosen from cpuid, by package bitvec.
//
// # Limits
//
// 2^32 nodes at a time and 2^14 priorities. With many sockets, the first things
// to suffer are the allocation of all tables of a KeyMap on the memory node of
// the thread that grows them, and the incumbent's cache line while it improves
// often.
package parallel
