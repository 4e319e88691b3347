package search

import (
	"io"

	"parcorels/parallel"
)

// The proof of a search in blocks. Every record is true by itself, and a block of records can
// be read without any other (proof.go). So the proof is what a search writes, with the records
// of all blocks one after another. Each search of a block writes those of the root's bound
// again, as it has used.

// Piece is what searches of a block have written to Block.Proof.
type Piece struct {
	From    io.Reader
	Records int64
}

// Result returns the smallest list known as the result of all blocks: of status
// parallel.Optimal if all were searched, else with a bound that is known of all lists.
func (r *Ready) Result(status parallel.Status, bound int64) Result {
	result := r.s.result(status, 0)
	if status != parallel.Optimal {
		result.LowerBound = min(result.Objective, max(bound, r.s.lowest()))
	}
	return result
}

// WriteProof writes the proof of a result of status parallel.Optimal to where the options of
// the problem say. Each piece is asked for when it is due, and nil ends them.
func (r *Ready) WriteProof(result *Result, next func() (*Piece, error)) error {
	s := r.s
	w := s.newProof()
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
