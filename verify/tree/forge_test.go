package tree_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/internal/prooftamper"
)

// withClaim returns the proof with another claimed tree, and the numbers of
// blocks and records that it has.
func withClaim(t *testing.T, proof []byte, nodes []uint64, errors uint64) []byte {
	t.Helper()
	if !bytes.Equal(prooftamper.File(proof[:12], prooftamper.Blocks(proof)), proof) {
		t.Fatal("a proof put together again is another")
	}
	blocks := prooftamper.Blocks(proof)
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
	return prooftamper.File(proof[:12], blocks)
}

// withProblem returns the proof with another price of a leaf or another depth in
// its header, near those that it has.
func withProblem(rng *rand.Rand, proof []byte) []byte {
	blocks := prooftamper.Blocks(proof)
	head := &blocks[0]
	digest, rest := head.Payload[:sha256.Size], head.Payload[sha256.Size:]
	var fields []uint64 // num, den, features, weight, K, depth and leaves
	for len(fields) < 7 {
		x, n := binary.Uvarint(rest)
		fields, rest = append(fields, x), rest[n:]
	}
	switch rng.IntN(5) {
	case 4:
		if fields[6] > 1 {
			fields[6] += rng.Uint64N(3) - 1
		}
	case 0:
		fields[0] += rng.Uint64N(2)
		fields[1] = max(1, fields[1]+rng.Uint64N(5)-2)
	case 1: // a little cheaper or dearer
		fields[0], fields[1] = 100*fields[0], 100*fields[1]+rng.Uint64N(21)-10
	case 2:
		fields[5] = (fields[5] + 3 + rng.Uint64N(3)) % 5
	default:
		fields[5] = rng.Uint64N(2) * (fields[5] + 1)
	}
	head.Payload = bytes.Clone(digest)
	for _, x := range fields {
		head.Payload = binary.AppendUvarint(head.Payload, x)
	}
	head.Payload = append(head.Payload, rest...)
	return prooftamper.File(proof[:12], blocks)
}
