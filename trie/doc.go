// Package trie holds the nodes of a prefix tree that many workers grow and cut
// at once. Its memory is bounded and given out again, and nobody reads what
// another has given up (epochs). Begin with [NewArena]; each worker works through a
// [Handle] of its own.
//
// # Layout
//
// A node is 32 bytes in a chunk of an [Arena] and is named by a 32-bit [ID],
// so the garbage collector never looks inside. A node knows its parent, the
// antecedent that extends the parent's prefix, its depth and its cost; it
// holds no set of points, since a set is rebuilt from the path.
//
// # Life cycle
//
//	New ──► open ──Expanded──► expanded ──Close──► closed ──Kill──► dead
//	         └───────Close────────────────────────►
//
// An open node waits in a queue or is being expanded; an expanded one has
// nothing left to do itself, though its expander may still hold it or nodes
// lie below it; a closed node has been expanded and is kept because others may
// still be compared with it; a dead one is of no use, nor is anything below
// it. Kill leads there from any state. A node holds one reference to itself
// until it is released, by its expander or because it was killed when closed,
// and one for each child that exists. When the last goes, the node is retired
// and its parent loses a reference. A node that nobody uses has none.
//
// # Reclamation
//
// A worker that meets a node's name in a queue or a map may be about to read
// it while another retires it. So a worker pins the current epoch ([Handle.Pin])
// around the work on one node, and what was retired in epoch e is reused only
// when the global epoch is e+2: it moves from e to e+1 only when every pinned
// worker has seen e, so by then no worker that could have met the node is
// still pinned.
//
// A name met later is recognised as stale by its generation: a [Ref] carries
// the generation that the node had, and retiring a node increments it.
// A generation that matches while the reader is pinned stays readable until it
// unpins, even if the node is retired meanwhile. Generations have 31 bits; a
// stale name would be taken for a live one only after its node was reused 2^31
// times while the name lay in a map.
//
// # Limits
//
// 2^32 nodes: about 140 GB. Beyond that an ID needs more bits.
package trie
