package rulelist_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"testing"

	"parcorels/dataset"
	"parcorels/internal/testing/testgen"
	"parcorels/ratio"
	"parcorels/rules"
	verifylist "parcorels/verify/rulelist"

	"go.uber.org/goleak"

	"github.com/bits-and-blooms/bitset"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// setOf returns the antecedents of an instance as a set.
func setOf(in testgen.Instance) *rules.Set {
	columns, labels := in.Bitsets()
	s := &rules.Set{Data: &dataset.Dataset{N: len(in.Labels), ClassOf: dataset.ClassesOf(labels), Weights: in.Weights}}
	for i, c := range columns {
		s.Antecedents = append(s.Antecedents, rules.Antecedent{Name: fmt.Sprintf("a%d", i), Parts: []*bitset.BitSet{c}})
	}
	return s
}

// script is a proof before it is written.
type script struct {
	digest      [32]byte
	lambda      ratio.Ratio
	antecedents int
	weight      int64
	limit       int // of rules; 0: none
	settings    []byte
	records     [][]byte
	perBlock    int // records
	list        []int
	labels      []byte
	errors      int64
}

func ints(prefix []int) []byte {
	b := binary.AppendUvarint(nil, uint64(len(prefix)))
	for _, a := range prefix {
		b = binary.AppendUvarint(b, uint64(a))
	}
	return b
}

// file returns the bytes of the proof, with checksums, counts and seal as they
// should be.
func (s *script) file() []byte {
	f := binary.LittleEndian.AppendUint32([]byte("PARCPROF"), 8)
	h := slices.Clone(s.digest[:])
	for _, x := range []uint64{uint64(s.lambda.Num), uint64(s.lambda.Den), uint64(s.antecedents), uint64(s.weight), uint64(s.limit), 0, 0,
		uint64(len(s.settings))} {
		h = binary.AppendUvarint(h, x)
	}
	f = block(f, 'H', append(h, s.settings...))
	blocks := uint64(0)
	for chunk := range slices.Chunk(s.records, max(1, s.perBlock)) {
		f = block(f, 'R', slices.Concat(chunk...))
		blocks++
	}
	z := append(ints(s.list), s.labels...)
	z = binary.AppendUvarint(z, uint64(s.errors))
	z = binary.AppendUvarint(z, blocks)
	return sealed(f, binary.AppendUvarint(z, uint64(len(s.records))))
}

func block(f []byte, kind byte, payload []byte) []byte {
	b := binary.LittleEndian.AppendUint32([]byte{kind}, uint32(len(payload)))
	b = append(b, payload...)
	return append(f, binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)))...)
}

// sealed ends a file with the claim z, to which the seal is added.
func sealed(f, z []byte) []byte {
	head := binary.LittleEndian.AppendUint32([]byte{'Z'}, uint32(len(z)+sha256.Size))
	seal := sha256.Sum256(slices.Concat(f, head, z))
	return block(f, 'Z', append(z, seal[:]...))
}

func check(t testing.TB, file []byte, set *rules.Set, workers int) (verifylist.Result, error) {
	t.Helper()
	return checkFrom(context.Background(), bytes.NewReader(file), set, verifylist.Options{Workers: workers})
}

// checkFrom opens a proof and checks it.
func checkFrom(ctx context.Context, r io.Reader, set *rules.Set, o verifylist.Options) (verifylist.Result, error) {
	p, err := verifylist.Open(r)
	if err != nil {
		return verifylist.Result{}, err
	}
	return p.Check(ctx, set, o)
}
