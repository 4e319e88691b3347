package bitvec

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"
)

func TestMatrixHoldsColumns(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for _, words := range edgeWords {
		for _, cols := range []int{0, 1, 7, 8, 9, 33} {
			m := NewMatrix(cols, words)
			if m.Columns() != cols || m.Blocks() != (cols+7)/8 || m.Bytes() != int64(m.Blocks()*8*words*8) {
				t.Fatalf("%d columns of %d words: %d columns, %d blocks, %d bytes", cols, words, m.Columns(), m.Blocks(), m.Bytes())
			}
			want := make([][]uint64, cols)
			for i := range want {
				want[i] = make([]uint64, words)
				for w := range want[i] {
					want[i][w] = r.Uint64()
				}
				m.Set(i, make([]uint64, words))
				m.Set(i, want[i])
			}
			got := make([]uint64, words)
			for i := range want {
				if m.Get(got, i); !slices.Equal(got, want[i]) {
					t.Fatalf("column %d of %d: %x, want %x", i, cols, got, want[i])
				}
			}
		}
	}
}

func TestMatrixIsAligned(t *testing.T) {
	for n := range 100 {
		words := alignedWords(n)
		if len(words) != n {
			t.Fatalf("asked for %d words, got %d", n, len(words))
		}
		if at := uintptr(unsafe.Pointer(unsafe.SliceData(words))); n > 0 && at%64 != 0 {
			t.Errorf("%d words begin at %#x", n, at)
		}
	}
}
