package bayes_test

import (
	"crypto/sha256"
	"encoding/binary"
	"hash/crc32"
	"math/rand/v2"
	"slices"
)

// block is a block of a file.
type block struct {
	kind    byte
	payload []byte
}

// blocksOf takes a proof apart; the claim is without its seal.
func blocksOf(proof []byte) (blocks []block) {
	for at := 12; at < len(proof); {
		n := int(binary.LittleEndian.Uint32(proof[at+1:]))
		b := block{proof[at], slices.Clone(proof[at+5 : at+5+n])}
		if b.kind == 'Z' {
			b.payload = b.payload[:n-sha256.Size]
		}
		blocks = append(blocks, b)
		at += 5 + n + 4
	}
	return blocks
}

// fileOf puts a proof together, with checksums and a seal that match.
func fileOf(head []byte, blocks []block) []byte {
	out := slices.Clone(head)
	for _, b := range blocks {
		payload := b.payload
		frame := func(p []byte, length int) []byte {
			return append(binary.LittleEndian.AppendUint32([]byte{b.kind}, uint32(length)), p...)
		}
		if b.kind == 'Z' {
			sum := sha256.Sum256(append(slices.Clone(out), frame(payload, len(payload)+sha256.Size)...))
			payload = append(slices.Clone(payload), sum[:]...)
		}
		f := frame(payload, len(payload))
		out = append(out, f...)
		out = binary.LittleEndian.AppendUint32(out, crc32.Checksum(f, crc32.MakeTable(crc32.Castagnoli)))
	}
	return out
}

// mutate changes a byte or two of a payload, drops or repeats bytes, and makes
// checksums and seal match.
func mutate(r *rand.Rand, proof []byte) []byte {
	blocks := blocksOf(proof)
	for range 1 + r.IntN(2) {
		b := &blocks[r.IntN(len(blocks))]
		if len(b.payload) == 0 {
			continue
		}
		i := r.IntN(len(b.payload))
		if b.kind == 'H' {
			i = 32 + r.IntN(len(b.payload)-32) // the digest is compared first
		}
		switch r.IntN(5) {
		case 0:
			b.payload[i] ^= 1 << r.IntN(8)
		case 1:
			b.payload[i]++
		case 2:
			b.payload[i]--
		case 3:
			b.payload = slices.Delete(b.payload, i, min(len(b.payload), i+1+r.IntN(3)))
		case 4:
			b.payload = slices.Insert(b.payload, i, b.payload[i:min(len(b.payload), i+1+r.IntN(6))]...)
		}
	}
	return fileOf(proof[:12], blocks)
}
