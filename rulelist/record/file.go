package record

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
)

// A proof that outlives the process.
//
// # What of it goes with a checkpoint
//
// Every record is true by itself (writer.go), so all that a search owes its proof
// is a record of each prefix that is neither open any more nor covered by what a
// checker computes. The open ones are in the checkpoint (search/saver.go), and the
// records of the others were made before. So while the workers stand still for a
// checkpoint their records are written and made to last, and then the checkpoint
// is written, with the length of the proof and a hash of it. The search that goes
// on from it cuts off what was written later, of which it knows nothing, and
// appends. What it does not put back, because a smaller prefix has the same
// remaining set, gets its record then (search/restore.go); what the incumbent beats
// needs none, here as anywhere.
//
// A prefix may be expanded twice: if the expansion of the prefix above it was
// cut short and it is made again, and neither the checkpoint nor the symmetry
// map had the memory to know it. Then it has two records that it is expanded,
// and the exceptions of either count.

// ErrProof reports a proof that cannot be continued: it is not, or no longer,
// the one that the checkpoint was saved with.
var ErrProof = errors.New("unusable proof")

// Mark is how far an unfinished proof was when a checkpoint was saved.
type Mark struct {
	Bytes           int64 // 0: the checkpoint is without a proof
	Blocks, Records uint64
	Hash            [sha256.Size]byte // of the bytes
}

// GoOn reads the proof up to the mark, and cuts off what is behind.
func (w *Writer) GoOn(ctx context.Context, m Mark) error {
	n, err := w.Resume(untilDone{ctx, w.file}, m.Bytes)
	switch {
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%w: it has %d bytes, and %d were written when the checkpoint was saved", ErrProof, n, m.Bytes)
	case err != nil:
		return err
	case !bytes.Equal(w.Sum(nil), m.Hash[:]):
		return fmt.Errorf("%w: it is not the one that the checkpoint was saved with, or it was changed since", ErrProof)
	}
	w.Blocks, w.Records = m.Blocks, m.Records
	return w.file.Truncate(m.Bytes)
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

// Keep writes what waited to be written, and makes all of it last.
func (w *Writer) Keep() {
	if w.Err() != nil || w.held.retry() != nil {
		return
	}
	w.Fail(w.file.Sync())
	w.told = w.told && w.Err() != nil // of the next failure somebody is told again
}

// Mark says how far the proof is; nothing of one that does not last.
func (w *Writer) Mark() (m Mark) {
	if !w.Lasts() || w.Fault() != nil {
		return m
	}
	m = Mark{Bytes: w.Bytes(), Blocks: w.Blocks, Records: w.Records}
	w.Sum(m.Hash[:0])
	return m
}

// Behind reports whether a file lacks something of the proof: then no checkpoint
// has its proof.
func (w *Writer) Behind() bool { return w.Lasts() && w.Fault() != nil }

// Failure returns the error of a proof once.
func (w *Writer) Failure() error {
	if w == nil || w.Fault() == nil || w.told {
		return nil
	}
	w.told = true
	if w.Err() == nil {
		return fmt.Errorf("the proof: %w; it is tried again with every checkpoint", w.Fault())
	}
	return fmt.Errorf("the proof: %w", w.Err())
}

// Lasts reports whether the proof is in a file that checkpoints rely on.
func (w *Writer) Lasts() bool { return w != nil && w.file != nil }
