package rulelist_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"parcorels/internal/testing/testgen"
	"parcorels/verify"
	verifylist "parcorels/verify/rulelist"
)

// fuzzed is a proof of two dozen records, some with exceptions, about five
// antecedents. The smallest list has three rules.
func fuzzed(t testing.TB) *prover {
	const seed = 15256
	return prove(t, testgen.Small(seed), nil, 3, rand.New(rand.NewPCG(seed, 30)))
}

// allocated returns what f allocates, in bytes.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// fixedBytes is what checking the smallest file allocates at most, and
// bytesPerByte what each byte of a file adds.
const (
	fixedBytes   = 1 << 20
	bytesPerByte = 1 << 10
)

// judge checks a file that came from anywhere: no panic, no runaway allocation,
// and no other list than the smallest.
func (p *prover) judge(t *testing.T, file []byte) {
	t.Helper()
	var r verifylist.Result
	var err error
	if n := allocated(func() { r, err = check(t, file, p.set, 1) }); n > fixedBytes+bytesPerByte*uint64(len(file)) {
		t.Fatalf("%d bytes allocated for a file of %d", n, len(file))
	}
	if err == nil {
		expect(t, p.Instance, p.best, r)
	} else if !errors.Is(err, verify.ErrRefused) && !errors.Is(err, verify.ErrFormat) {
		t.Fatal(err)
	}
}

// FuzzFile takes any bytes for a file.
func FuzzFile(f *testing.F) {
	p := fuzzed(f)
	file := p.script.file()
	f.Add(file)
	f.Add(file[:len(file)/2])
	for _, part := range blocksOf(file) {
		f.Add(part)
	}
	f.Fuzz(func(t *testing.T, file []byte) { p.judge(t, file) })
}

// FuzzSealed takes any bytes for a block of records and for a claim, and seals
// them.
func FuzzSealed(f *testing.F) {
	p := fuzzed(f)
	claim := append(ints(p.script.list), p.script.labels...)
	claim = binary.AppendUvarint(claim, uint64(p.script.errors))
	f.Add(slices.Concat(p.script.records...), claim, uint(len(p.script.records)))
	f.Add([]byte{}, claim, uint(0))
	for _, r := range p.script.records {
		f.Add(r, claim, uint(1))
	}
	f.Add([]byte{1, 0, 0, 3, 2, 0, 1, 1, 0, 3, 3, 1, 2, 2, 4, 4, 1}, claim, uint(3))
	head := p.script
	head.records = nil
	parts := blocksOf(head.file())
	f.Fuzz(func(t *testing.T, records, claim []byte, count uint) {
		if len(records) > 1<<16 || len(claim) > 1<<16 {
			return
		}
		file := block(slices.Concat(parts[:2]...), 'R', records)
		claim = binary.AppendUvarint(slices.Clone(claim), 1)
		p.judge(t, sealed(file, binary.AppendUvarint(claim, uint64(count))))
	})
}

// FuzzHeader takes any bytes for a header.
func FuzzHeader(f *testing.F) {
	p := fuzzed(f)
	parts := blocksOf(p.script.file())
	f.Add(parts[1][5 : len(parts[1])-4])
	f.Fuzz(func(t *testing.T, header []byte) {
		if len(header) > 1<<16 {
			return
		}
		file := slices.Concat(block(slices.Clone(parts[0]), 'H', header), slices.Concat(parts[2:]...))
		p.judge(t, file)
		if h, err := verifylist.Open(bytes.NewReader(file)); err == nil && len(h.About().Settings) > len(header) {
			t.Errorf("settings of %d bytes in a header of %d", len(h.About().Settings), len(header))
		}
	})
}

// TestDeclaredSizesAreNotTrusted has files that speak of much more than they
// hold.
func TestDeclaredSizesAreNotTrusted(t *testing.T) {
	p := fuzzed(t)
	parts := blocksOf(p.script.file())
	huge := append(slices.Repeat([]byte{0xff}, 8), 0x7f)
	for name, file := range map[string][]byte{
		"block":    append(slices.Clone(parts[0]), 'H', 0, 0, 16, 0),
		"settings": block(slices.Clone(parts[0]), 'H', append(append(make([]byte, 32), 1, 100, 5, 5, 0), huge...)),
		"prefix":   block(slices.Concat(parts[:2]...), 'R', append([]byte{1}, huge...)),
		"claim":    block(slices.Concat(parts[:2]...), 'Z', huge),
	} {
		if n := allocated(func() { p.judge(t, file) }); n > fixedBytes/2 {
			t.Errorf("%s: %d bytes allocated", name, n)
		}
	}
}
