package parallel

import (
	"encoding/binary"
	"errors"
	"io"
)

// Proof says where a search writes the proof of its result, and what it is a proof
// about.
type Proof struct {
	To       io.Writer
	Digest   [32]byte // of the antecedents and samples: rules.Set.Digest
	Settings []byte   // kept for the reader, at most 1 MB; says how the data were read
}

// The blocks of a proof (docs/proof-format.md), and the bytes after which a block of
// records is written.
const (
	ProofHeader  = 'H'
	ProofRecords = 'R'
	ProofClaim   = 'Z'
	ProofBlock   = 64 << 10
)

var (
	// ErrProofSettings reports settings that a header block cannot hold.
	ErrProofSettings = errors.New("the proof's settings exceed 1 MB")

	// ErrProofStopped reports a search that was stopped while it wrote its proof.
	ErrProofStopped = errors.New("the search was stopped while the proof was written")
)

// ProofWriter writes a proof in one goroutine: a header, records in blocks, and what
// they prove.
type ProofWriter struct {
	*BlockWriter
	Buffer          []byte // of records that are not written yet; the caller appends
	Records, Blocks uint64
}

// Begin returns a writer that has written the header: the digest, what the family says of
// the problem, and the settings with their length before them.
func (p *Proof) Begin(magic string, version uint32, problem ...int64) (*ProofWriter, error) {
	b := append([]byte(nil), p.Digest[:]...)
	for _, x := range append(problem, int64(len(p.Settings))) {
		b = binary.AppendUvarint(b, uint64(x))
	}
	if b = append(b, p.Settings...); len(b) > MaxBlock {
		return nil, ErrProofSettings
	}
	w := &ProofWriter{BlockWriter: NewBlockWriter(p.To)}
	w.BlockWriter.Begin(magic, version)
	w.Block(ProofHeader, b)
	return w, nil
}

// Recorded counts the record that was appended to the buffer.
func (w *ProofWriter) Recorded() {
	if w.Records++; len(w.Buffer) >= ProofBlock {
		w.Flush()
	}
}

// Flush writes the block at hand.
func (w *ProofWriter) Flush() {
	if len(w.Buffer) > 0 {
		w.Block(ProofRecords, w.Buffer)
		w.Blocks++
		w.Buffer = w.Buffer[:0]
	}
}

// Claim ends the proof with what it proves, and the numbers of blocks and records.
func (w *ProofWriter) Claim(b []byte) error {
	b = binary.AppendUvarint(binary.AppendUvarint(b, w.Blocks), w.Records)
	w.Sealed(ProofClaim, b)
	return w.Err()
}
