// Package save has the form of a checkpoint of a rule list search (docs/checkpoint-format.md): its head, the open prefixes with
// their bounds, the closed ones, and a seal. A part of a search for several machines has the same form.
//
// Begin with [Checkpoint], which says where a search saves and from where it resumes. A [Writer] writes, [Open] begins to read. Package
// rulelist/search says which prefixes are open, why these are enough, and puts them back.
//
//	state.go     problem, incumbent, counts; how far the search is with the separation bound, and its
//	             proof; prefixes, three or four bytes each
//	writer.go    writing
//	reader.go    reading
//	backlog.go   open prefixes that memory has no room for
package save
