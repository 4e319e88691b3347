package rulelist_test

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/verify"
)

// The tests here alter the bytes of a file and leave checksums and seal as they
// are.

// proofFile returns a proof of several blocks.
func proofFile(t testing.TB, seed uint64) (*prover, []byte) {
	p := prove(t, sample(seed), nil, 2, rand.New(rand.NewPCG(seed, 20)))
	p.script.perBlock = (len(p.script.records) + 3) / 4
	return p, p.script.file()
}

// isRefusal reports an error that says that the file is no valid proof.
func isRefusal(err error) bool {
	return errors.Is(err, verify.ErrRefused) || errors.Is(err, verify.ErrFormat)
}

// TestAnyDamageIsRefused flips a bit of each byte, takes each part of the file, and adds a byte.
func TestAnyDamageIsRefused(t *testing.T) {
	for seed := range seeds(50) {
		p, file := proofFile(t, seed)
		refused := func(at int, damaged []byte) {
			if _, err := check(t, damaged, p.set, 1); !isRefusal(err) {
				t.Fatalf("seed %d: at %d of %d bytes: %v", seed, at, len(file), err)
			}
		}
		for i := range min(len(file), 3000) {
			flipped := slices.Clone(file)
			flipped[i] ^= 1 << (i % 8)
			refused(i, flipped)
			refused(i, file[:i])
		}
		refused(len(file), append(slices.Clone(file), 0))
	}
}

// blocksOf takes a file apart: magic and version, then the blocks.
func blocksOf(file []byte) (parts [][]byte) {
	parts = append(parts, file[:12])
	for at := 12; at < len(file); {
		n := 9 + int(binary.LittleEndian.Uint32(file[at+1:]))
		parts = append(parts, file[at:at+n])
		at += n
	}
	return parts
}

func TestBlocksOutOfPlaceAreRefused(t *testing.T) {
	for seed := range seeds(100) {
		p, file := proofFile(t, seed)
		parts := blocksOf(file)
		for i := range parts {
			for name, altered := range map[string][][]byte{
				"without": slices.Delete(slices.Clone(parts), i, i+1),
				"twice":   slices.Insert(slices.Clone(parts), i, parts[i]),
				"late":    append(slices.Delete(slices.Clone(parts), i, i+1), parts[i]),
				"early":   slices.Insert(slices.Delete(slices.Clone(parts), i, i+1), 0, parts[i]),
			} {
				if b := slices.Concat(altered...); !slices.Equal(b, file) {
					if _, err := check(t, b, p.set, 1); !isRefusal(err) {
						t.Fatalf("seed %d: part %d of %d %s: %v", seed, i, len(parts), name, err)
					}
				}
			}
		}
	}
}
