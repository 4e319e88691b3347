package tree_test

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"parcorels/internal/forge"
)

// withClaim returns the proof with another claimed tree, and the numbers of
// blocks and records that it has.
func withClaim(t *testing.T, proof []byte, nodes []uint64, errors uint64) []byte {
	t.Helper()
	if !bytes.Equal(forge.File(proof[:12], forge.Blocks(proof)), proof) {
		t.Fatal("a proof put together again is another")
	}
	blocks := forge.Blocks(proof)
	last := &blocks[len(blocks)-1]
	var old []uint64
	for b := last.Payload; len(b) > 0; {
		x, n := binary.Uvarint(b)
		old, b = append(old, x), b[n:]
	}
	last.Payload = binary.AppendUvarint(nil, uint64(len(nodes)))
	for _, x := range slices.Concat(nodes, []uint64{errors}, old[len(old)-2:]) {
		last.Payload = binary.AppendUvarint(last.Payload, x)
	}
	return forge.File(proof[:12], blocks)
}
