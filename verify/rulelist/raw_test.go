package rulelist_test

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
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

func TestAnyByteFlippedIsRefused(t *testing.T) {
	for seed := range seeds(50) {
		p, file := proofFile(t, seed)
		if len(file) > 3000 {
			continue
		}
		for i := range file {
			flipped := slices.Clone(file)
			flipped[i] ^= 1 << (i % 8)
			if _, err := check(t, flipped, p.set, 1); !isRefusal(err) {
				t.Fatalf("seed %d: byte %d of %d: %v", seed, i, len(file), err)
			}
		}
	}
}

func TestAnyPartIsRefused(t *testing.T) {
	for seed := range seeds(50) {
		p, file := proofFile(t, seed)
		if len(file) > 3000 {
			continue
		}
		for n := range file {
			if _, err := check(t, file[:n], p.set, 1); !isRefusal(err) {
				t.Fatalf("seed %d: %d bytes of %d: %v", seed, n, len(file), err)
			}
		}
		if _, err := check(t, append(slices.Clone(file), 0), p.set, 1); !isRefusal(err) {
			t.Fatalf("seed %d: a byte more: %v", seed, err)
		}
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

// TestMalformed has a file for each thing that the format forbids.
func TestMalformed(t *testing.T) {
	p := prove(t, sample(1), nil, 0, rand.New(rand.NewPCG(1, 1)))
	p.script.records = [][]byte{{1, 0, 0}}
	m := byte(len(p.in.Columns))
	file := func(record ...byte) []byte {
		s := p.script
		s.records = [][]byte{record}
		return s.file()
	}
	parts := blocksOf(p.script.file())
	upTo := slices.Concat(parts[:3]...)
	z := append(ints(p.script.list), p.script.labels...)
	z = binary.AppendUvarint(z, uint64(p.script.errors))
	claim := func(b ...byte) []byte { return sealed(slices.Clone(upTo), append(slices.Clone(z), b...)) }
	header := func(b ...byte) []byte { return block(slices.Clone(parts[0]), 'H', append(make([]byte, 32), b...)) }
	for want, bytes := range map[string][]byte{
		"it does not begin with PARCPROF":                  []byte("PK\x03\x04 and so on"),
		"it has version 5, make it anew":                   slices.Concat([]byte("PARCPROF\x05\x00\x00\x00"), parts[1]),
		"it has version 0, make it anew":                   slices.Concat([]byte("PARCPROF\x00\x00\x00\x00"), parts[1]),
		"ends within its first":                            []byte("PARCPROF\x01"),
		"block 0: the file ends before":                    parts[0],
		"block 0: it is of type 'R'":                       slices.Concat(parts[0], parts[2]),
		"block 1: it is of type 'H'":                       slices.Concat(parts[0], parts[1], parts[1]),
		"block 0: it is said to have 1048577 bytes":        slices.Concat(parts[0], []byte{'H', 1, 0, 16, 0}),
		"block 0: the file ends within it":                 slices.Concat(parts[0], []byte{'H', 0, 0, 16, 0, 1, 2, 3}),
		"block 0: its checksum does not match":             slices.Concat(parts[0], []byte{'H', 0, 0, 0, 0, 1, 2, 3, 4}),
		"the header: it ends early":                        header(1, 100),
		"the header: a number is not in its shortest form": header(0x81, 0),
		"the header: numerator of λ":                       header(append(slices.Repeat([]byte{0xff}, 9), 1)...),
		"exceeds 64 bits":                                  header(append(slices.Repeat([]byte{0xff}, 9), 2)...),
		"number of antecedents 65537, expected less":       header(1, 100, 0x81, 0x80, 4),
		"the header: bytes follow":                         header(1, 100, 1, 1, 0, 0, 0, 0, 7),
		"record 1: its kind is 6":                          file(6, 0, 0),
		"record 1: it ends early":                          file(1, 1),
		"antecedent " + string('0'+rune(m)) + ", expected": file(1, 1, m, 0),
		"prefix of length 100, expected less than":         file(append([]byte{1, 100}, make([]byte, 100)...)...),
		"a prefix has an antecedent twice":                 file(1, 2, 0, 0, 0),
		"a number is not in its shortest":                  file(slices.Concat([]byte{1}, longVarint(0), []byte{0})...),
		"the empty prefix cannot be dominated":             file(2, 0, 0, 0),
		"its dominator is of kind 2":                       file(2, 1, 0, 2, 0),
		"rule 1, expected less than 1":                     file(2, 1, 0, 1, 1),
		"the claim: it tells of 2 records, there are 1":    claim(1, 2),
		"it tells of 2 blocks, there are 1":                claim(2, 1),
		"the claim: its seal is not the SHA-256": block(slices.Clone(upTo), 'Z',
			append(append(slices.Clone(z), 1, 1), make([]byte, 32)...)),
		"the claim: it ends early":                           claim(),
		"the claim: bytes follow":                            sealedAndMore(upTo, append(slices.Clone(z), 1, 1)),
		"bytes follow the block that ends the proof":         append(claim(1, 1), 'R'),
		"block 2: the file ends before the block":            upTo,
		"the claim: label 2, expected less than 2":           sealed(slices.Clone(upTo), []byte{0, 2, 0, 1, 1}),
		"line 1 predicts class":                              sealed(slices.Clone(upTo), []byte{0, 1 - p.emptyLabel(), 0, 1, 1}),
		"the claimed list: it is said to get a weight of 99": sealed(slices.Clone(upTo), []byte{0, p.emptyLabel(), 99, 1, 1}),
	} {
		_, err := check(t, bytes, p.set, 1)
		if !isRefusal(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
	if _, err := check(t, claim(1, 1), p.set, 1); err != nil && !strings.Contains(err.Error(), "prefix") {
		t.Errorf("the file that these were made from: %v", err)
	}
}

// sealedAndMore has a byte behind the seal.
func sealedAndMore(f, z []byte) []byte {
	parts := blocksOf(sealed(slices.Clone(f), append(z, 0)))
	last := parts[len(parts)-1]
	payload := slices.Clone(last[5 : len(last)-4])
	return block(slices.Clone(f), 'Z', payload)
}

func (p *prover) emptyLabel() byte {
	l, _ := p.in.Evaluate(nil)
	return map[bool]byte{true: 1}[l.Default]
}
