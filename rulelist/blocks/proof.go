package blocks

import (
	"io"

	"parcorels/rulelist/search"
)

// The proof of a search in blocks. Every record is true by itself, and a block of records can be read without any other
// (package record). So the proof is what a search writes, with the records of all blocks one after another. Each search of a
// block writes those of the root's bound again, as it has used.

// Piece is what searches of a block have written to search.Part.Proof.
type Piece struct {
	From    io.Reader
	Records int64
}

// WriteProof writes the proof of a result with status parallel.Optimal to where the options of
// the problem say. Each piece is asked for when it is due, and nil ends them.
func (r *Ready) WriteProof(result *search.Result, next func() (*Piece, error)) error {
	w := r.NewProof()
	for w.Err() == nil {
		piece, err := next()
		if err != nil {
			return err
		}
		if piece == nil {
			break
		}
		if err := w.AddPiece(piece.From, piece.Records); err != nil {
			return err
		}
	}
	w.Finish(result.Rules, result.Default, result.Errors)
	w.Retry()
	result.Stats.ProofBytes, result.Stats.ProofRecords = w.Bytes(), int64(w.Records)
	return w.Fault()
}
