// Package blocks divides a rule list search among several processes.
//
// A block is a set of open prefixes, in the form of a checkpoint (docs/checkpoint-format.md) without closed ones. Block nil is
// the root. To search a block is to find the smallest list that begins with one of its prefixes, or to show that none is
// smaller than the incumbent. Parts of a block can be given away while it is searched. So a caller that keeps each prefix in a
// block that was searched to its end, or in one that is open, has the smallest list when no block is open: the smallest of
// those of all blocks. The argument is that of checkpoints (search/saver.go).
//
// Begin with [Prepare], then [Ready.Search]. Package fleet is the client.
//
//	ready.go       a problem made ready, its blocks, its best list
//	standstill.go  dividing a block while its workers stand still
package blocks
