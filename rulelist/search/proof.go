package search

import (
	"encoding/binary"
	"fmt"
	"sync"

	"parcorels/internal/blockfile"
	"parcorels/parallel"
)

// The proof (docs/proof-format.md): what a checker that does not trust this
// package needs to see that no list is smaller than the one returned.
//
// Every prefix that the search drops for a reason that a checker could not
// find quickly by itself is named together with the prefix that is smaller;
// every prefix that it expands is named; all else, the bound, support and
// commuting neighbours, a checker computes. Each record is true by itself, as
// the argument of each pruning is, so the records need no order among
// themselves: every worker fills blocks of its own (proof_recorder.go), and a block
// goes out under a mutex that is taken once in tens of thousands of records.
// The bound is the only pruning that looks at the incumbent, and what an
// earlier incumbent beats is beaten by the final one too; so the claimed list
// is written last.

// Proof says where Solve writes the proof, and what it is a proof about.
type Proof = blockfile.Proof

const (
	proofMagic   = "PARCPROF"
	proofVersion = 7
	blockSize    = blockfile.RecordBlock
)

// proofWriter writes blocks. What cannot be written waits (proof_held.go). After an
// error that is for good it writes nothing more, and the search goes on without a
// proof.
type proofWriter struct {
	mu sync.Mutex
	*blockfile.ProofWriter
	held *heldWriter
	file blockfile.File // nil: checkpoints are without the proof
	told bool           // whether somebody was told of its error
}

// newProofWriter returns a writer that has written nothing.
func newProofWriter(o *Proof, b *parallel.Budget) *proofWriter {
	held := newHeldWriter(o.Writer(), b)
	return &proofWriter{ProofWriter: blockfile.NewProofWriter(held), held: held, file: o.File}
}

// fault returns why the file lacks something of the proof, nil if it lacks nothing.
func (w *proofWriter) fault() error {
	if err := w.Err(); err != nil {
		return err
	}
	return w.held.err
}

// newProof returns a writer that has written the header, nil if no proof is asked
// for.
func (s *search) newProof() *proofWriter {
	p, o := s.p, s.o
	if o.Proof == nil {
		return nil
	}
	w := newProofWriter(o.Proof, s.budget)
	w.Header(o.Proof, proofMagic, proofVersion, o.Lambda.Num, o.Lambda.Den, int64(p.In.Antecedents), p.In.Total, int64(o.MaxRules))
	return w
}

// addRecords writes a block of n whole records.
func (w *proofWriter) addRecords(payload []byte, n uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.WriteRecords(payload, n)
}

// claim ends the file with the list that nothing is smaller than. The workers
// have ended.
func (w *proofWriter) claim(r *Result) {
	if w.Err() != nil {
		return
	}
	b := binary.AppendUvarint(nil, uint64(len(r.Rules)))
	for _, rule := range r.Rules {
		b = binary.AppendUvarint(b, uint64(rule.Antecedent))
	}
	for _, rule := range r.Rules {
		b = binary.AppendUvarint(b, uint64(rule.Class))
	}
	b = binary.AppendUvarint(b, uint64(r.Default))
	b = binary.AppendUvarint(b, uint64(r.Errors))
	_ = w.Claim(b) // fault tells
}

// finishProof completes the proof if the result is one, and says how that went.
func (s *search) finishProof(r *Result) {
	w := s.proof
	if w == nil || s.o.Proof == nil { // a block's records are no proof by themselves
		return
	}
	if r.Status == parallel.Optimal {
		w.claim(r)
		_ = w.held.retry() // what it could not write is its fault
	}
	if err := w.fault(); err != nil {
		r.ProofErr = fmt.Errorf("the proof: %w", err)
	}
	r.Stats.ProofBytes, r.Stats.ProofRecords = w.Bytes(), int64(w.Records)
}
