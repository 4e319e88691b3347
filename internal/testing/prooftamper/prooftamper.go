// Package prooftamper takes proof files apart and puts other ones together, whose checksums
// and seals match. It is for tests of checkers: begin with Mutate.
package prooftamper

import (
	"crypto/sha256"
	"encoding/binary"
	"hash/crc32"
	"math/rand/v2"
	"slices"
)

// Block is a block of a file.
type Block struct {
	Kind    byte
	Payload []byte
}

// Blocks takes a proof apart; the claim is without its seal.
func Blocks(proof []byte) (blocks []Block) {
	for at := 12; at < len(proof); {
		n := int(binary.LittleEndian.Uint32(proof[at+1:]))
		b := Block{proof[at], slices.Clone(proof[at+5 : at+5+n])}
		if b.Kind == 'Z' {
			b.Payload = b.Payload[:n-sha256.Size]
		}
		blocks = append(blocks, b)
		at += 5 + n + 4
	}
	return blocks
}

// File puts a proof together, with checksums and a seal that match.
func File(head []byte, blocks []Block) []byte {
	out := slices.Clone(head)
	for _, b := range blocks {
		payload := b.Payload
		frame := func(p []byte, length int) []byte {
			return append(binary.LittleEndian.AppendUint32([]byte{b.Kind}, uint32(length)), p...)
		}
		if b.Kind == 'Z' {
			sum := sha256.Sum256(append(slices.Clone(out), frame(payload, len(payload)+sha256.Size)...))
			payload = append(slices.Clone(payload), sum[:]...)
		}
		f := frame(payload, len(payload))
		out = append(out, f...)
		out = binary.LittleEndian.AppendUint32(out, crc32.Checksum(f, crc32.MakeTable(crc32.Castagnoli)))
	}
	return out
}

// Mutate changes a byte or two of a payload, drops or repeats bytes, and makes
// checksums and seal match.
func Mutate(r *rand.Rand, proof []byte) []byte {
	blocks := Blocks(proof)
	for range 1 + r.IntN(2) {
		b := &blocks[r.IntN(len(blocks))]
		if len(b.Payload) == 0 {
			continue
		}
		i := r.IntN(len(b.Payload))
		if b.Kind == 'H' {
			i = 32 + r.IntN(len(b.Payload)-32) // the digest is compared first
		}
		switch r.IntN(5) {
		case 0:
			b.Payload[i] ^= 1 << r.IntN(8)
		case 1:
			b.Payload[i]++
		case 2:
			b.Payload[i]--
		case 3:
			b.Payload = slices.Delete(b.Payload, i, min(len(b.Payload), i+1+r.IntN(3)))
		case 4:
			b.Payload = slices.Insert(b.Payload, i, b.Payload[i:min(len(b.Payload), i+1+r.IntN(6))]...)
		}
	}
	return File(proof[:12], blocks)
}

// Varints reads so many numbers of a payload, −1: all, and returns the rest.
func Varints(payload []byte, most int) (numbers []uint64, rest []byte) {
	for len(payload) > 0 && len(numbers) != most {
		x, n := binary.Uvarint(payload)
		numbers, payload = append(numbers, x), payload[n:]
	}
	return numbers, payload
}

// Append returns a new payload with numbers behind another.
func Append(payload []byte, numbers ...uint64) []byte {
	payload = slices.Clone(payload)
	for _, x := range numbers {
		payload = binary.AppendUvarint(payload, x)
	}
	return payload
}
