package bitvec

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestHashTellsSetsApart(t *testing.T) {
	for _, words := range edgeWords[1:] {
		h := NewHasher(words)
		seen := map[Key]string{}
		note := func(u []uint64, what string) {
			k := h.Hash(u)
			if was, ok := seen[k]; ok {
				t.Fatalf("%d words: %s has the key of %s", words, what, was)
			}
			seen[k] = what
		}
		u := make([]uint64, words)
		note(u, "the empty set")
		for i := range words * 64 { // neighbours: one point each
			u[i/64] ^= 1 << (i % 64)
			note(u, "a single point")
			u[i/64] = 0
		}
		for w := range u { // the same word in other places, and all prefixes
			u[w] = ^uint64(0)
			note(u, "a prefix of full words")
		}
	}
}

// TestHashSpreads checks that flipping any one point changes about half the
// bits of either half of the key: any bits will do as a table index.
func TestHashSpreads(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	h := NewHasher(4)
	u := make([]uint64, 4)
	var flipped [2]int
	const rounds = 64
	for range rounds {
		for i := range u {
			u[i] = r.Uint64()
		}
		k := h.Hash(u)
		for i := range 256 {
			u[i/64] ^= 1 << (i % 64)
			l := h.Hash(u)
			flipped[0] += bits.OnesCount64(k.Hi ^ l.Hi)
			flipped[1] += bits.OnesCount64(k.Lo ^ l.Lo)
			u[i/64] ^= 1 << (i % 64)
		}
	}
	for i, n := range flipped {
		if mean := float64(n) / (rounds * 256); mean < 31 || mean > 33 {
			t.Errorf("half %d of the key: %.2f bits change on average, want 32", i, mean)
		}
	}
}

// TestHashIsTheSameEveryTime: a key does not depend on the hasher.
func TestHashIsTheSameEveryTime(t *testing.T) {
	u := []uint64{1, 2, 3}
	if a, b := NewHasher(3).Hash(u), NewHasher(3).Hash(slices.Clone(u)); a != b {
		t.Errorf("two hashers: %v and %v", a, b)
	}
}

func TestAndNotHash(t *testing.T) { withKernels(t, testAndNotHash) }

func testAndNotHash(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, words := range edgeWords {
		h := NewHasher(words)
		for range 20 {
			s := newSpace(r, words, words/2, 2, costStyles["unit"])
			a, b := s.columns[0], s.columns[1]
			want, dst := make([]uint64, words), make([]uint64, words)
			for i := range want {
				want[i] = a[i] &^ b[i]
			}
			if k := h.AndNotHash(dst, a, b); k != h.Hash(want) || !slices.Equal(dst, want) {
				t.Fatalf("AndNotHash(%x, %x): %x, key %x, want key %x", a, b, dst, k, h.Hash(want))
			}
			in := slices.Clone(b)
			if h.AndNotHash(in, a, in); !slices.Equal(in, want) {
				t.Fatalf("AndNotHash over its second operand: %x, want %x", in, want)
			}
		}
	}
}
