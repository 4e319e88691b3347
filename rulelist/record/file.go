package record

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"

	"parcorels/parallel"
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

// A proof that cannot be written for a moment, because the disk is full.
//
// A record that is missing makes the proof worthless, and no search could make it
// again: the prefix is neither open any more nor looked at twice. So what cannot be
// written waits in memory. It is tried again with every checkpoint and at the end,
// and a partial write is continued where it stopped. While something waits, the
// last checkpoint that has its proof stays; once all is written, checkpoints go on.
//
// A bound limits how much may wait, as a disk may stay full for the rest of a long search.
// Beyond the bound the proof is given up at the last checkpoint that has it, and
// the search goes on without. So it does after an error of Sync: what the system
// then has of the writes before is not known, and most systems do not tell twice.

// mostHeld bounds the bytes that wait, beside a share of the memory budget, which
// counts them.
const (
	mostHeld  = 64 << 20
	heldShare = 16
)

// heldWriter writes to a writer and holds what that refuses. One goroutine at a
// time uses it.
type heldWriter struct {
	to     io.Writer
	budget *parallel.Budget
	most   int64
	held   [][]byte
	bytes  int64
	err    error // why something waits; nil if nothing does
}

func newHeldWriter(to io.Writer, b *parallel.Budget) *heldWriter {
	most := int64(mostHeld)
	if b.Limit > 0 {
		most = min(most, b.Limit/heldShare)
	}
	return &heldWriter{to: to, budget: b, most: most}
}

// Write returns an error only when more would wait than may. Then nothing is held
// any more.
func (h *heldWriter) Write(b []byte) (int, error) {
	if h.err != nil && h.bytes+int64(len(b)) > h.most {
		_ = h.retry() // before all of it is given up
	}
	rest := b
	if h.err == nil {
		if rest, h.err = writeTo(h.to, b); h.err == nil {
			return len(b), nil
		}
	}
	n := int64(len(rest))
	if h.bytes+n > h.most {
		h.budget.Release(h.bytes)
		h.held, h.bytes = nil, 0
		return 0, h.err
	}
	h.budget.Take(n)
	h.held, h.bytes = append(h.held, append([]byte(nil), rest...)), h.bytes+n
	return len(b), nil
}

// retry writes what waits, as far as that can be done.
func (h *heldWriter) retry() error {
	for len(h.held) > 0 {
		rest, err := writeTo(h.to, h.held[0])
		written := int64(len(h.held[0]) - len(rest))
		h.budget.Release(written)
		h.held[0], h.bytes = rest, h.bytes-written
		if err != nil {
			h.err = err
			return err
		}
		h.held = h.held[1:]
	}
	h.err = nil
	return nil
}

// writeTo writes and returns what is left to write.
func writeTo(to io.Writer, b []byte) (rest []byte, err error) {
	n, err := to.Write(b)
	if n < len(b) && err == nil {
		err = io.ErrShortWrite
	}
	return b[min(max(n, 0), len(b)):], err
}
