// Package record writes the proof of a rule list search: a record for every prefix that is expanded, and the reason for
// every prefix that is dropped where a checker would not find it quickly by itself. Package verify/rulelist reads it and
// shares no code with it. docs/proof-format.md has the format.
//
// Begin with [Recorder]: each worker has one, and every pruning is given it. Recorders send blocks to the [Writer] of the
// search. A [Mark] says how far an unfinished proof is, for a checkpoint.
//
//	recorder.go   records of prefixes, and of searches of parts of a problem
//	bounds.go     records of the separation bound
//	writer.go     the file: what a proof is, header, blocks, claim
//	file.go       a proof that outlives the process; what a full disk refuses waits in memory
package record
