package rulelist_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"slices"
	"testing"

	"parcorels/internal/testing/oracle"
	"parcorels/internal/testing/prooftamper"
	"parcorels/internal/testing/testgen"
	"parcorels/ratio"
	"parcorels/rulelist/search"
	"parcorels/rules"
	"parcorels/verify/framing"
	verifylist "parcorels/verify/rulelist"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

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

// claims has the script claim a list.
func (s *script) claims(l oracle.List) {
	s.list, s.labels, s.errors = l.Antecedents, nil, l.Errors
	for _, one := range append(slices.Clone(l.Predict), l.Default) {
		s.labels = append(s.labels, map[bool]byte{true: 1}[one])
	}
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
	h := slices.Clone(s.digest[:])
	for _, x := range []uint64{uint64(s.lambda.Num), uint64(s.lambda.Den), uint64(s.antecedents), uint64(s.weight), uint64(s.limit), 0, 0,
		uint64(len(s.settings))} {
		h = binary.AppendUvarint(h, x)
	}
	blocks := []prooftamper.Block{{Kind: 'H', Payload: append(h, s.settings...)}}
	for chunk := range slices.Chunk(s.records, max(1, s.perBlock)) {
		blocks = append(blocks, prooftamper.Block{Kind: 'R', Payload: slices.Concat(chunk...)})
	}
	z := append(ints(s.list), s.labels...)
	for _, x := range []int{int(s.errors), len(blocks) - 1, len(s.records)} {
		z = binary.AppendUvarint(z, uint64(x))
	}
	return prooftamper.File([]byte("PARCPROF\x08\x00\x00\x00"), append(blocks, prooftamper.Block{Kind: 'Z', Payload: z}))
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
	return checkFrom(context.Background(), bytes.NewReader(file), set, verifylist.Options{Options: framing.Options{Workers: workers}})
}

// checkFrom opens a proof and checks it.
func checkFrom(ctx context.Context, r io.Reader, set *rules.Set, o verifylist.Options) (verifylist.Result, error) {
	p, err := verifylist.Open(r)
	if err != nil {
		return verifylist.Result{}, err
	}
	return p.Check(ctx, set, o)
}

// solved returns the proof that a search of a set writes, and its result.
func solved(t testing.TB, set *rules.Set, o search.Options) ([]byte, search.Result) {
	t.Helper()
	var file bytes.Buffer
	o.Proof = &search.Proof{To: &file, Digest: set.Digest()}
	r, err := search.Solve(context.Background(), testgen.Reduced(t, set), o)
	if err = errors.Join(err, r.ProofErr); err != nil {
		t.Fatal(err)
	}
	return file.Bytes(), r
}
