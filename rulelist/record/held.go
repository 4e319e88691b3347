package record

import (
	"io"

	"parcorels/parallel"
)

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
