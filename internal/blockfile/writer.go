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

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash"
	"hash/crc32"
	"io"
)

// MaxBlock is the largest payload of a block, in bytes.
const MaxBlock = 1 << 20

// blockHead is the number of bytes before a payload.
const blockHead = 1 + 4

// Writer writes a file of blocks. After the first error it writes no more.
type Writer struct {
	to    io.Writer
	seal  hash.Hash
	bytes int64
	frame []byte
	err   error
}

// NewWriter returns a writer that has written nothing.
func NewWriter(to io.Writer) *Writer { return &Writer{to: to, seal: sha256.New()} }

// Resume reads the first n bytes of a file that is to be appended to, as if it
// had written them. It returns how many there are, if fewer.
func (w *Writer) Resume(from io.Reader, n int64) (int64, error) {
	n, err := io.CopyN(w.seal, from, n)
	w.bytes += n
	return n, err
}

// Bytes returns how much was written.
func (w *Writer) Bytes() int64 { return w.bytes }

// Err returns the first error, which is the writer's or given to Fail.
func (w *Writer) Err() error { return w.err }

// Fail makes err the first error, if there is none.
func (w *Writer) Fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

// Sum appends the SHA-256 of what was written to b.
func (w *Writer) Sum(b []byte) []byte { return w.seal.Sum(b) }

// write adds bytes to the file and to the seal.
func (w *Writer) write(b []byte) {
	if w.err != nil {
		return
	}
	n, err := w.to.Write(b)
	w.bytes += int64(n)
	if err != nil {
		w.err = err
		return
	}
	w.seal.Write(b)
}

// Begin writes the magic text and the version.
func (w *Writer) Begin(magic string, version uint32) {
	w.write(binary.LittleEndian.AppendUint32([]byte(magic), version))
}

// Block frames a payload and writes it.
func (w *Writer) Block(kind byte, payload []byte) { w.write(w.framed(kind, payload)) }

// framed returns type, length, payload and checksum, in a buffer that the next
// call overwrites.
func (w *Writer) framed(kind byte, payload []byte) []byte {
	b := append(w.frame[:0], kind)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(payload)))
	b = append(b, payload...)
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)))
	w.frame = b
	return b
}

// Sealed writes the last block: the payload and the seal, which covers the
// file up to itself.
func (w *Writer) Sealed(kind byte, payload []byte) {
	b := append(payload, make([]byte, sha256.Size)...)
	w.seal.Write(w.framed(kind, b)[:blockHead+len(payload)])
	w.Block(kind, w.seal.Sum(b[:len(payload)]))
}

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

// ErrSettings reports settings that a header block cannot hold.
var ErrSettings = errors.New("the proof's settings exceed 1 MB")

// ErrStopped reports a search that was stopped while it wrote its proof.
var ErrStopped = errors.New("the search was stopped while the proof was written")

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
