// Package blockfile frames the files that a search writes: checkpoints and proofs.
//
// Such a file has a magic text and a version, then blocks. A block has a type, a
// length, a payload and a checksum. The last block ends in a SHA-256 of all bytes
// before it, its seal. The format is in docs/proof-format.md.
//
// Begin with a [Writer]. Package verify/framing reads such files. A [Proof] says where a search writes
// its proof, and a [ProofWriter] writes header, records and claim.
//
//	w := blockfile.NewWriter(file)
//	w.Begin("MAGICTXT", 1)
//	w.Block('D', payload)
//	w.Sealed('Z', last)
//	return w.Err()
package blockfile
