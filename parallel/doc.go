// Package parallel is the engine of every search of this module. It runs workers over
// sharded priority queues, stops them at limits, pauses them for a checkpoint, and detects
// that no work is left. It knows no family of models and no data. Begin with NewRun and
// NewQueue; the example is a whole client.
//
// A client names its nodes, the subproblems that are open, by 32-bit integers,
// and gives each a lower bound that no child falls below. Then
//
//   - Run has the workers, the limits and the reason why the search ended. Its Do
//     starts work(0), work(1), … and a monitor beside them (Watch). A worker asks
//     Running within long loops and MayExpand before it expands a node.
//   - Queue has the open nodes. Each goroutine uses its Worker: Next gives a node, Push
//     takes its children, Finished says that it is done, in this order. If Push has no
//     memory for a child, the worker searches it itself, depth first.
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
// run.go has the argument that a run ends and loses nothing. memory.go says what goroutines
// see of each other's writes. keymap.go has the map.
//
// There may be 2^32 nodes at a time and 2^14 priorities. With many sockets, the first
// things to suffer are the tables of a KeyMap, which lie on the memory node of the
// thread that grows them, and the incumbent's cache line while it improves often.
package parallel
