package bitvec

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestWords(t *testing.T) {
	withKernels(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(5, 6))
		for _, words := range edgeWords {
			for range 20 {
				s := newSpace(r, words, words/2, 2, costStyles["unit"])
				checkWords(t, s.columns[0], s.columns[1])
			}
		}
	})
}

// checkWords tries every operation into a set of its own and over each of its
// operands, and sees that the words behind stay.
func checkWords(t *testing.T, a, b []uint64) {
	t.Helper()
	for _, op := range []struct {
		name string
		do   func(dst, a, b []uint64)
		word func(a, b uint64) uint64
	}{
		{"And", And, func(a, b uint64) uint64 { return a & b }},
		{"Or", Or, func(a, b uint64) uint64 { return a | b }},
		{"AndNot", AndNot, func(a, b uint64) uint64 { return a &^ b }},
	} {
		const beyond = 0x1234567890abcdef
		n := len(a)
		longA, longB := append(slices.Clone(a), beyond), append(slices.Clone(b), beyond)
		dst, want := make([]uint64, n+1), []uint64{}
		for i := range a {
			want = append(want, op.word(a[i], b[i]))
		}
		want, dst[n] = append(want, beyond), beyond
		if op.do(dst[:n], a, b); !slices.Equal(dst, want) {
			t.Fatalf("%s: %s(%x, %x) = %x", Kernel(), op.name, a, b, dst)
		}
		if op.do(longA[:n], longA[:n], b); !slices.Equal(longA, want) {
			t.Fatalf("%s: %s(%x, %x) over the first = %x", Kernel(), op.name, a, b, longA)
		}
		if op.do(longB[:n], a, longB[:n]); !slices.Equal(longB, want) {
			t.Fatalf("%s: %s(%x, %x) over the second = %x", Kernel(), op.name, a, b, longB)
		}
	}
}

// TestCountCommon compares the kernels with a count bit by bit, of no words and more, and of repeated columns.
func TestCountCommon(t *testing.T) {
	withKernels(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(7, 8))
		for round := range 100 {
			words, columns := Lanes*r.IntN(5), make([]uint64, 1000)
			for i := range columns {
				columns[i] = r.Uint64() | r.Uint64() | -uint64(r.IntN(2)) // up to all bits of a vector
			}
			set, some := columns[len(columns)-words:], make([]int32, r.IntN(20))
			got, want := make([]int64, len(some)+1), make([]int64, len(some)+1)
			for i := range some {
				some[i] = int32(r.IntN(20))
				for bit := range 64 * words {
					want[i] += int64(set[bit/64] & columns[int(some[i])*words+bit/64] >> (bit % 64) & 1)
				}
			}
			if CountCommon(got, set, columns, some); !slices.Equal(got, want) {
				t.Fatalf("round %d, %d words, columns %v: %v, want %v", round, words, some, got, want)
			}
		}
	})
}
