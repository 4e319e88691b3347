package search

import (
	"encoding/binary"

	"parcorels/internal/blockfile"
	"parcorels/rulelist/problem"
)

// checkpointWriter writes blocks of prefixes.
type checkpointWriter struct {
	*blockfile.Writer
	p       *problem.Problem
	kind    byte
	payload []byte
	code    prefixCode
	indices []problem.Antecedent
	counts  [2]uint64 // prefixes written, open and closed
}

// columns writes a prefix given as columns.
func (w *checkpointWriter) columns(kind byte, prefix []problem.Column, more int64) {
	w.indices = w.indices[:0]
	for _, col := range prefix {
		w.indices = append(w.indices, w.p.Antecedents[col])
	}
	w.prefix(kind, w.indices, more)
}

// prefix writes a prefix given as antecedents, and of an open one by how much its bound
// exceeds that of its cost.
func (w *checkpointWriter) prefix(kind byte, prefix []problem.Antecedent, more int64) {
	if kind != w.kind || len(w.payload) >= blockfile.RecordBlock {
		w.flush()
	}
	w.kind = kind
	w.payload = w.code.append(w.payload, prefix)
	if kind == blockOpen {
		w.payload = binary.AppendUvarint(w.payload, uint64(more))
		w.counts[0]++
	} else {
		w.counts[1]++
	}
}

func (w *checkpointWriter) flush() {
	if len(w.payload) > 0 {
		w.Block(w.kind, w.payload)
	}
	w.payload = w.payload[:0]
	w.code.reset()
}

func (w *checkpointWriter) finish() {
	w.flush()
	b := binary.AppendUvarint(nil, w.counts[0])
	w.Sealed(blockEnd, binary.AppendUvarint(b, w.counts[1]))
}
