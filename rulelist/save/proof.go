package save

import (
	"encoding/binary"

	"parcorels/rulelist/record"
)

// appendProofMark appends what a checkpoint says about a proof.
func appendProofMark(b []byte, m *record.Mark) []byte {
	b = binary.AppendUvarint(b, uint64(m.Bytes))
	if m.Bytes == 0 {
		return b
	}
	b = binary.AppendUvarint(b, m.Blocks)
	b = binary.AppendUvarint(b, m.Records)
	return append(b, m.Hash[:]...)
}

// readProofMark reads it.
func readProofMark(f *fields, m *record.Mark) {
	if m.Bytes = int64(f.numberTo(1 << 62)); m.Bytes > 0 {
		m.Blocks, m.Records = f.numberTo(1<<62), f.numberTo(1<<62)
		copy(m.Hash[:], f.bytes(len(m.Hash)))
	}
}
