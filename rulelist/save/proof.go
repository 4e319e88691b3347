package save

import (
	"encoding/binary"

	"parcorels/rulelist/record"
	"parcorels/verify/framing"
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
func readProofMark(f *framing.Parser, m *record.Mark) {
	if m.Bytes = f.Below64("length", mostNumber); m.Bytes > 0 {
		m.Blocks, m.Records = uint64(f.Below64("blocks", mostNumber)), uint64(f.Below64("records", mostNumber))
		copy(m.Hash[:], f.Take(uint64(len(m.Hash))))
	}
}
