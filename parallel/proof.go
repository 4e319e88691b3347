package parallel

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"sync"
	"sync/atomic"
)

// The proof (docs/proof-format.md): what a checker that does not trust this
// package needs to see that no list is smaller than the one returned.
//
// Every prefix that the search drops for a reason that a checker could not
// find quickly by itself is named together with the prefix that is smaller;
// every prefix that it expands is named; all else, the bound, support and
// commuting neighbours, a checker computes. Each record is true by itself, as
// the argument of each pruning is, so the records need no order among
// themselves: every worker fills blocks of its own (prooflog.go), and a block
// goes out under a mutex that is taken once in tens of thousands of records.
// The bound is the only pruning that looks at the incumbent, and what an
// earlier incumbent beats is beaten by the final one too; so the claimed list
// is written last.

// Proof says where Solve writes the proof, and what it is a proof about.
type Proof struct {
	To       io.Writer // written in large pieces from several goroutines, one at a time
	Digest   [32]byte  // of the instance: rules.Set.Digest
	Settings []byte    // kept for the reader, at most 1 MB; says how the data were read
}

const (
	proofMagic   = "PARCPROF"
	proofVersion = 1

	blockHeader  = 'H'
	blockRecords = 'R'
	blockClaim   = 'Z'

	maxBlock  = 1 << 20  // bytes of a block's payload, by the format
	blockSize = 64 << 10 // bytes after which a worker writes its block
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// errProofSettings reports settings that a header block cannot hold.
var errProofSettings = errors.New("the proof's settings exceed 1 MB")

// proofWriter writes blocks. After the first error it writes nothing more, and
// the search goes on without a proof.
type proofWriter struct {
	failed atomic.Bool

	mu      sync.Mutex
	to      io.Writer
	seal    hash.Hash
	bytes   int64
	blocks  uint64
	records uint64
	frame   []byte
	err     error
}

// newProofWriter writes the header. It returns nil if no proof is asked for.
func newProofWriter(p *problem, o Options) *proofWriter {
	if o.Proof == nil {
		return nil
	}
	w := &proofWriter{to: o.Proof.To, seal: sha256.New()}
	b := append([]byte(nil), o.Proof.Digest[:]...)
	b = binary.AppendUvarint(b, uint64(o.Lambda.Num))
	b = binary.AppendUvarint(b, uint64(o.Lambda.Den))
	b = binary.AppendUvarint(b, uint64(p.in.Antecedents))
	b = binary.AppendUvarint(b, uint64(p.in.Total))
	b = binary.AppendUvarint(b, uint64(len(o.Proof.Settings)))
	b = append(b, o.Proof.Settings...)
	if len(b) > maxBlock {
		w.fail(errProofSettings)
		return w
	}
	w.write(binary.LittleEndian.AppendUint32([]byte(proofMagic), proofVersion))
	w.block(blockHeader, b)
	return w
}

// write adds bytes to the file and to the seal.
func (w *proofWriter) write(b []byte) {
	if w.err != nil {
		return
	}
	n, err := w.to.Write(b)
	w.bytes += int64(n)
	if err != nil {
		w.fail(err)
		return
	}
	w.seal.Write(b)
}

func (w *proofWriter) fail(err error) {
	w.err = fmt.Errorf("the proof: %w", err)
	w.failed.Store(true)
}

// block frames a payload and writes it.
func (w *proofWriter) block(kind byte, payload []byte) {
	w.write(w.framed(kind, payload))
}

// framed returns type, length, payload and checksum, in a buffer that the next
// call overwrites.
func (w *proofWriter) framed(kind byte, payload []byte) []byte {
	b := append(w.frame[:0], kind)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(payload)))
	b = append(b, payload...)
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
	w.frame = b
	return b
}

// addRecords writes a block of n whole records.
func (w *proofWriter) addRecords(payload []byte, n uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.block(blockRecords, payload)
	w.blocks++
	w.records += n
}

// claim ends the file with the list that nothing is smaller than. The workers
// have ended.
func (w *proofWriter) claim(r *Result) {
	if w.err != nil {
		return
	}
	b := binary.AppendUvarint(nil, uint64(len(r.Rules)))
	for _, rule := range r.Rules {
		b = binary.AppendUvarint(b, uint64(rule.Antecedent))
	}
	for _, rule := range r.Rules {
		b = append(b, label(rule.Predict))
	}
	b = append(b, label(r.Default))
	b = binary.AppendUvarint(b, uint64(r.Errors))
	b = binary.AppendUvarint(b, w.blocks)
	b = binary.AppendUvarint(b, w.records)
	b = append(b, make([]byte, sha256.Size)...)
	// The seal covers the block's head and its payload up to the seal.
	head := w.framed(blockClaim, b)[:1+4+len(b)-sha256.Size]
	w.seal.Write(head)
	copy(b[len(b)-sha256.Size:], w.seal.Sum(nil))
	w.block(blockClaim, b)
}

// finishProof completes the proof if the result is one, and says how that went.
func (s *search) finishProof(r *Result) {
	w := s.proof
	if w == nil {
		return
	}
	if r.Status == Optimal {
		w.claim(r)
	}
	r.ProofErr = w.err
	r.Stats.ProofBytes, r.Stats.ProofRecords = w.bytes, int64(w.records)
}

func label(one bool) byte {
	if one {
		return 1
	}
	return 0
}
