package save

import (
	"encoding/binary"
	"io"

	"parcorels/internal/blockfile"
	"parcorels/rulelist/problem"
	"parcorels/verify/framing"
)

// Writer writes blocks of prefixes.
type Writer struct {
	*blockfile.Writer
	p       *problem.Problem
	kind    byte
	payload []byte
	code    prefixCode
	indices []problem.Antecedent
	Counts  [2]uint64 // prefixes written, open and closed
}

// NewWriter begins a checkpoint with what is said of the problem and of the state.
func NewWriter(to io.Writer, p *problem.Problem, h Head, st State) *Writer {
	w := &Writer{Writer: blockfile.NewWriter(to), p: p}
	w.Begin(checkpoint.Magic, checkpoint.Version)
	w.Block(kindState, st.append(nil, &h, p))
	return w
}

// Columns writes a prefix given as columns.
func (w *Writer) Columns(kind byte, prefix []problem.Column, more int64) {
	w.indices = w.indices[:0]
	for _, col := range prefix {
		w.indices = append(w.indices, w.p.Antecedents[col])
	}
	w.Prefix(kind, w.indices, more)
}

// Prefix writes a prefix given as antecedents, and for an open one by how much its bound
// exceeds that of its cost.
func (w *Writer) Prefix(kind byte, prefix []problem.Antecedent, more int64) {
	if kind != w.kind || len(w.payload) >= blockfile.RecordBlock {
		w.flush()
	}
	w.kind = kind
	w.payload = w.code.append(w.payload, prefix)
	if kind == KindOpen {
		w.payload = binary.AppendUvarint(w.payload, uint64(more))
		w.Counts[0]++
	} else {
		w.Counts[1]++
	}
}

func (w *Writer) flush() {
	if len(w.payload) > 0 {
		w.Block(w.kind, w.payload)
	}
	w.payload = w.payload[:0]
	w.code.reset()
}

// Finish ends the checkpoint.
func (w *Writer) Finish() error {
	w.flush()
	b := binary.AppendUvarint(nil, w.Counts[0])
	w.Sealed(framing.Claim, binary.AppendUvarint(b, w.Counts[1]))
	return w.Err()
}
