package column

import (
	"math/rand/v2"
	"slices"
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

// TestPackedInBulk appends and unpacks many numbers at a time.
func TestPackedInBulk(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 2))
		var p, want Packed
		for range rng.IntN(5) {
			to := make([]uint32, 1+rng.IntN(1<<rng.IntN(12)))
			for i := range to {
				to[i] = uint32(rng.Uint64N(1 << rng.IntN(33)))
			}
			codes := make([]uint32, rng.IntN(700))
			for i := range codes {
				codes[i] = uint32(rng.IntN(len(to)))
			}
			for i := range min(len(to), len(codes)) { // all texts of a chunk occur in it
				codes[i] = uint32(i)
			}
			to = to[:min(len(to), len(codes))]
			for i := range codes {
				codes[i] %= uint32(len(to))
			}
			p.Append(codes, to)
			for _, c := range codes {
				want.Add(to[c])
			}
		}
		if p.Len() != want.Len() || p.lg != want.lg || !slices.Equal(p.words, want.words) {
			t.Fatalf("seed %d: %d numbers of width %d in bulk, %d of width %d one by one", seed, p.Len(), p.lg, want.Len(), want.lg)
		}
		var all []uint32
		for first, codes := range p.Blocks() {
			if first != len(all) || first%64 != 0 {
				t.Fatalf("seed %d: a block begins at %d, want %d", seed, first, len(all))
			}
			all = append(all, codes...)
		}
		if len(all) != p.Len() {
			t.Fatalf("seed %d: %d numbers in blocks, want %d", seed, len(all), p.Len())
		}
		for i, code := range all {
			if code != p.At(i) {
				t.Fatalf("seed %d: number %d is unpacked as %d, want %d", seed, i, code, p.At(i))
			}
		}
		var plain Packed
		plain.Append(all, nil)
		if !slices.Equal(plain.words, p.words) && plain.lg == p.lg {
			t.Fatalf("seed %d: codes as they are become others", seed)
		}
	}
}

// TestPackedCells appends cells of one and two bytes, of which more and more have codes, and compares them with
// codes that are appended one by one.
func TestPackedCells(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 3))
		width := 1 + int(seed%2)
		c, code := NewCodes(width), map[uint16]uint32{}
		different := 1 + rng.IntN(1<<rng.IntN(5+6*width))
		inOrder, next := seed%3 == 0, 0 // new cells are one more than the largest before
		var p, want Packed
		p.Expect(rng.IntN(10_000))
		for range 1 + rng.IntN(6) {
			var cells []byte
			for range rng.IntN(1000) {
				cell := uint16(rng.IntN(different)) * 7
				if inOrder {
					cell = uint16(min(rng.IntN(different), next))
					if int(cell) == next && next < 1<<(8*width)-1 {
						next++
					} else if seed%2 == 0 && rng.IntN(1000) == 0 {
						cell = uint16(rng.IntN(1 << (8 * width)))
					}
				}
				if cells = append(cells, byte(cell)); width == 2 {
					cells = append(cells, byte(cell>>8))
				}
			}
			for len(cells) > 0 {
				n := p.AppendCells(cells, c)
				for i := range n + 1 {
					if i*width == len(cells) {
						break
					}
					cell := uint16(cells[i*width])
					if width == 2 {
						cell |= uint16(cells[2*i+1]) << 8
					}
					number, known := code[cell]
					if known != (i < n) {
						t.Fatalf("seed %d: %d cells appended, number %d has a code: %v", seed, n, i, known)
					}
					if known {
						want.Add(number)
						continue
					}
					number = uint32(len(code))
					if number > 0 && seed%4 > 0 && rng.IntN(5) == 0 {
						number = uint32(rng.IntN(int(number))) // two cells may mean the same
					}
					code[cell] = number
					c.Set(cells[i*width:], number)
				}
				cells = cells[n*width:]
			}
		}
		if p.Len() != want.Len() {
			t.Fatalf("seed %d: %d codes, want %d", seed, p.Len(), want.Len())
		}
		for i := range p.Len() {
			if p.At(i) != want.At(i) {
				t.Fatalf("seed %d: code %d is %d, want %d", seed, i, p.At(i), want.At(i))
			}
		}
	}
}

// TestPackedCellsWithGap: cells that are their own codes, but for one in between that has none.
func TestPackedCellsWithGap(t *testing.T) {
	c := NewCodes(1)
	c.Set([]byte{0}, 0)
	c.Set([]byte{2}, 2)
	var p Packed
	cells := make([]byte, 200)
	cells[40] = 1
	if n := p.AppendCells(cells, c); n != 40 {
		t.Errorf("%d cells appended, want 40", n)
	}
}
