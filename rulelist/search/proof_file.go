package search

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"parcorels/parallel"
)

// A proof that outlives the process.
//
// # What of it goes with a checkpoint
//
// Every record is true by itself (proof.go), so all that a search owes its proof
// is a record of each prefix that is neither open any more nor covered by what a
// checker computes. The open ones are in the checkpoint (checkpoint.go), and the
// records of the others were made before. So while the workers stand still for a
// checkpoint their records are written and made to last, and then the checkpoint
// is written, with the length of the proof and a hash of it. The search that goes
// on from it cuts off what was written later, of which it knows nothing, and
// appends. What it does not put back, because a smaller prefix has the same
// remaining set, gets its record then (checkpoint_restore.go); what the incumbent beats
// needs none, here as anywhere.
//
// A prefix may be expanded twice: if the expansion of the prefix above it was
// cut short and it is made again, and neither the checkpoint nor the symmetry
// map had the memory to know it. Then it has two records that it is expanded,
// and the exceptions of either count.

// ErrProof reports a proof that cannot be continued: it is not, or no longer,
// the one that the checkpoint was saved with.
var ErrProof = errors.New("unusable proof")

// proofMark is how far an unfinished proof was when a checkpoint was saved.
type proofMark struct {
	bytes           int64 // 0: the checkpoint is without a proof
	blocks, records uint64
	hash            [sha256.Size]byte // of the bytes
}

// beginProof writes the header of a proof or, when the search resumes from a
// checkpoint, checks the proof that goes with it. If the context or the time ends
// meanwhile, it returns the status of that and false.
func (s *search) beginProof(ctx context.Context, resumed bool, m proofMark) (parallel.Status, bool, error) {
	o := s.o
	switch {
	case !resumed || o.Proof == nil:
		s.proof = s.newProof()
		return parallel.Unknown, true, nil
	case m.bytes == 0:
		return parallel.Unknown, false, fmt.Errorf("%w: it was saved by a search without a proof, and what that did cannot be proved "+
			"any more", ErrCheckpoint)
	}
	limited, cancel := s.within(ctx, o.Time)
	defer cancel()
	s.proof = newProofWriter(o.Proof, s.budget)
	switch err := s.proof.goOn(limited, m); {
	case err == nil:
		return parallel.Unknown, true, nil
	case limited.Err() == nil:
		return parallel.Unknown, false, err
	case ctx.Err() != nil:
		return parallel.Interrupted, false, nil
	}
	return parallel.TimeLimit, false, nil
}

// goOn reads the proof up to the mark, and cuts off what is behind.
func (w *proofWriter) goOn(ctx context.Context, m proofMark) error {
	n, err := w.Resume(untilDone{ctx, w.file}, m.bytes)
	switch {
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%w: it has %d bytes, and %d were written when the checkpoint was saved", ErrProof, n, m.bytes)
	case err != nil:
		return err
	case !bytes.Equal(w.Sum(nil), m.hash[:]):
		return fmt.Errorf("%w: it is not the one that the checkpoint was saved with, or it was changed since", ErrProof)
	}
	w.Blocks, w.Records = m.blocks, m.records
	return w.file.Truncate(m.bytes)
}

// untilDone reads until a context is done.
type untilDone struct {
	ctx  context.Context
	from io.Reader
}

func (r untilDone) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.from.Read(b)
}

// keepProof writes the records of all workers, who stand still or have ended, with
// what waited to be written, and makes them last.
func (s *search) keepProof() {
	w := s.proof
	if w == nil || w.file == nil {
		return
	}
	for _, worker := range s.workers {
		if worker != nil {
			worker.proof.flush()
		}
	}
	if w.Err() != nil || w.held.retry() != nil {
		return
	}
	w.Fail(w.file.Sync())
	w.told = w.told && w.Err() != nil // of the next failure somebody is told again
}

// mark says how far the proof is; nothing of one that does not last.
func (w *proofWriter) mark() (m proofMark) {
	if w == nil || w.file == nil || w.fault() != nil {
		return m
	}
	m = proofMark{bytes: w.Bytes(), blocks: w.Blocks, records: w.Records}
	w.Sum(m.hash[:0])
	return m
}

// behind reports whether a file lacks something of the proof: then no checkpoint
// has its proof.
func (w *proofWriter) behind() bool { return w != nil && w.file != nil && w.fault() != nil }

// failure returns the error of a proof once.
func (w *proofWriter) failure() error {
	if w == nil || w.fault() == nil || w.told {
		return nil
	}
	w.told = true
	if w.Err() == nil {
		return fmt.Errorf("the proof: %w; it is tried again with every checkpoint", w.fault())
	}
	return fmt.Errorf("the proof: %w", w.Err())
}

// append appends what a checkpoint says about a proof.
func (m *proofMark) append(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(m.bytes))
	if m.bytes == 0 {
		return b
	}
	b = binary.AppendUvarint(b, m.blocks)
	b = binary.AppendUvarint(b, m.records)
	return append(b, m.hash[:]...)
}

// read reads it.
func (m *proofMark) read(f *fields) {
	if m.bytes = int64(f.numberTo(1 << 62)); m.bytes > 0 {
		m.blocks, m.records = f.numberTo(1<<62), f.numberTo(1<<62)
		copy(m.hash[:], f.bytes(len(m.hash)))
	}
}
