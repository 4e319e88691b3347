// Package trie holds the nodes of a prefix tree that many workers grow and cut at once. Its
// memory is bounded and reused. No worker reads a node that another has released (epochs).
// Begin with [NewArena]; each worker works through a [Handle] of its own.
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
// An open node waits in a queue or is being expanded; an expanded one has nothing left to
// do itself, though its expander may still hold it or nodes lie below it; a closed node has
// been expanded and is kept because others may still be compared with it; a dead one is not
// needed any more, nor is anything below it. Kill leads there from any state. A node holds
// one reference to itself until it is released, by its expander or because it was killed
// when closed, and one for each child that exists. When the last goes, the node is retired
// and its parent loses a reference. A node without users has none.
//
// A retired node is given out again only when nobody can be reading it (epoch.go).
//
// # Limits
//
// 2^32 nodes: about 140 GB. Beyond that an ID needs more bits.
package trie
