package column

import (
	"math/rand/v2"
	"testing"
)

// TestPacked appends random numbers, small ones for long, and reads all back.
func TestPacked(t *testing.T) {
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var p Packed
		var want []uint32
		widest := uint64(1)
		for range 1 + rng.IntN(3000) {
			if rng.IntN(300) == 0 {
				widest = min(widest<<rng.IntN(9), 1<<32)
			}
			code := uint32(rng.Uint64N(widest))
			p.Add(code)
			want = append(want, code)
		}
		if p.n != len(want) {
			t.Fatalf("seed %d: %d numbers, want %d", seed, p.n, len(want))
		}
		for i, w := range want {
			if got := p.At(i); got != w {
				t.Fatalf("seed %d: number %d is %d, want %d", seed, i, got, w)
			}
		}
	}
}

// TestPackedSize checks that memory follows the bits that codes need.
func TestPackedSize(t *testing.T) {
	for _, c := range []struct {
		largest uint32
		bits    int
	}{{0, 1}, {1, 1}, {2, 2}, {3, 2}, {4, 4}, {15, 4}, {16, 8}, {255, 8}, {256, 16}, {65535, 16}, {65536, 32}, {1<<32 - 1, 32}} {
		var p Packed
		for i := range uint32(6400) {
			p.Add(i * 2654435761 % (c.largest/2 + 1))
		}
		p.Add(c.largest)
		if want := (6401*c.bits + 63) / 64; len(p.words) != want {
			t.Errorf("codes up to %d take %d words, want %d", c.largest, len(p.words), want)
		}
	}
}
