package blockfile

import (
	"cmp"
	"encoding/binary"
	"errors"
	"io"
)

// Proof says where a search writes the proof of its result, and what the proof is
// about.
type Proof struct {
	To       io.Writer // one goroutine at a time writes to it, in large pieces
	Digest   [32]byte  // of the antecedents and samples: rules.Set.Digest
	Settings []byte    // says how the data were read; at most 1 MB, kept for the reader

	// File takes the place of To if it is not nil. Then a checkpoint of a rule list
	// search also marks how far the proof is, and the search that resumes from it
	// continues the proof in File, with the digest and settings that are there.
	File File
}

// File keeps an unfinished proof, as an os.File does: reads, writes and truncation
// use one position in it. It is empty if the search begins anew. If the search
// resumes from a checkpoint, the position is the start of the proof that belongs
// to the checkpoint.
type File interface {
	io.ReadWriter
	Truncate(size int64) error // cuts off what is behind size bytes, where the position is
	Sync() error               // makes what was written durable
}

// Writer returns where the proof is written to, nil if nowhere.
func (p *Proof) Writer() io.Writer {
	if p.File != nil {
		return p.File
	}
	return p.To
}

// The blocks of a proof (docs/proof-format.md).
const (
	proofHeader  = 'H'
	proofRecords = 'R'
	proofClaim   = 'Z'
)

// RecordBlock is the number of bytes after which a block of records is written.
const RecordBlock = 64 << 10

var (
	// ErrSettings reports settings that a header block cannot hold.
	ErrSettings = errors.New("the proof's settings exceed 1 MB")

	// ErrStopped reports a search that was stopped while it wrote its proof.
	ErrStopped = errors.New("the search was stopped while the proof was written")
)

// ProofWriter writes a proof: a header, records in blocks, and the claim that they
// prove. One goroutine at a time uses it.
type ProofWriter struct {
	*Writer
	Buffer          []byte // records that are not written yet; the caller appends
	Records, Blocks uint64 // written so far
}

// NewProofWriter returns a writer that has written nothing.
func NewProofWriter(to io.Writer) *ProofWriter { return &ProofWriter{Writer: NewWriter(to)} }

// Header writes the header: the digest, what the family says of the problem, and the
// settings with their length before them.
func (w *ProofWriter) Header(p *Proof, magic string, version uint32, problem ...int64) {
	b := append([]byte(nil), p.Digest[:]...)
	for _, x := range append(problem, int64(len(p.Settings))) {
		b = binary.AppendUvarint(b, uint64(x))
	}
	if b = append(b, p.Settings...); len(b) > MaxBlock {
		w.Fail(ErrSettings)
		return
	}
	w.Begin(magic, version)
	w.Block(proofHeader, b)
}

// Recorded counts the record that was appended to the buffer.
func (w *ProofWriter) Recorded() {
	if w.Records++; len(w.Buffer) >= RecordBlock {
		w.Flush()
	}
}

// Flush writes the buffer as a block.
func (w *ProofWriter) Flush() {
	if len(w.Buffer) > 0 {
		w.recordBlock(w.Buffer)
		w.Buffer = w.Buffer[:0]
	}
}

// WriteRecords writes a block of n whole records.
func (w *ProofWriter) WriteRecords(payload []byte, n uint64) {
	w.recordBlock(payload)
	w.Records += n
}

func (w *ProofWriter) recordBlock(payload []byte) {
	w.Block(proofRecords, payload)
	w.Blocks++
}

// End writes what is left and the claim, if all records were made; else it returns why not. It returns
// how long the proof is.
func (w *ProofWriter) End(complete bool, claim func() []byte) (bytes, records int64, err error) {
	if !complete {
		return 0, 0, cmp.Or(w.Err(), ErrStopped)
	}
	w.Flush()
	err = w.Claim(claim())
	return w.Bytes(), int64(w.Records), err
}

// Claim ends the proof with what it proves, and the numbers of blocks and records.
func (w *ProofWriter) Claim(b []byte) error {
	b = binary.AppendUvarint(binary.AppendUvarint(b, w.Blocks), w.Records)
	w.Sealed(proofClaim, b)
	return w.Err()
}
