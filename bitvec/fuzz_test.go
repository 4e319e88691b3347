package bitvec

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

// input turns the bytes of a fuzzer into choices: zeros when they run out.
type input []byte

func (in *input) uint64() uint64 {
	var b [8]byte
	*in = (*in)[copy(b[:], *in):]
	return binary.LittleEndian.Uint64(b[:])
}

func (in *input) byte() byte {
	var b [1]byte
	*in = (*in)[copy(b[:], *in):]
	return b[0]
}

// space reads a space of up to 40 words: costs of any width as long as they
// add up to less than 2^62, columns and a set that are drawn from a seed or,
// for a few words, given.
func (in *input) space() (s *space, u []uint64) {
	words := int(in.byte()) % 41
	s = &space{words: words, words1: int(in.byte()) % (words + 1), costs: make([]int64, 64*words)}
	r := rand.New(rand.NewPCG(in.uint64(), in.uint64()))
	width, fill := 1+r.IntN(50), in.byte()
	for i := range s.costs {
		if r.IntN(256) >= int(fill) {
			s.costs[i] = r.Int64N(1 << width)
		}
	}
	for range 1 + in.byte()%70 {
		s.columns = append(s.columns, s.set(r))
	}
	u = s.set(r)
	for w := range min(words, 4) {
		s.columns[0][w] ^= in.uint64()
		u[w] ^= in.uint64()
	}
	return s, u
}

func seeds(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 40 {
		data := make([]byte, r.IntN(100))
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		f.Add(data)
	}
}

// eachKernel runs f with the generic kernel and then with every other one.
func eachKernel(t *testing.T, f func()) {
	before := Kernel()
	defer func() { check(t, UseKernel(before)) }()
	for _, name := range Kernels() {
		check(t, UseKernel(name))
		f()
	}
}

// FuzzSets holds every kernel against the generic one, and against the sums over single points and the operators of a
// single word. Points without a cost count nothing, in a set or not.
func FuzzSets(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		in := input(data)
		s, u := in.space()
		p, m := NewPlanes(s.costs, s.words1), s.matrix()
		spent := make([]int64, m.Blocks()*Lanes)
		total := make([]int64, len(spent))
		for i := range spent {
			spent[i] = int64(in.uint64() & (1<<62 - 1))
			total[i] = spent[i]
			if i < len(s.columns) {
				total[i] += s.excess(s.columns[i], u)
			}
		}
		budget := total[int(in.byte())%len(total)] + int64(in.byte()%3) - 1
		eachKernel(t, func() {
			var prog Program
			p.Compile(&prog, u)
			s.checkCount(t, m, &prog, u, 0, m.Blocks())
			s.checkCost(t, p, u, s.columns[0], s.columns[len(s.columns)-1])
			checkWords(t, u, s.columns[0])
			p.CompileComplement(&prog, u)
			checkFirstWithin(t, m, &prog, spent, total, budget)
		})
	})
}

// FuzzColumns holds the passes over columns against their definitions.
func FuzzColumns(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		in := input(data)
		n := int(in.byte()) % 33 * 8
		most := int64(1) << (1 + in.byte()%60)
		r := rand.New(rand.NewPCG(in.uint64(), in.uint64()))
		g1, g0 := drawCounts(r, n, most), drawCounts(r, n, most)
		for i := range min(n, 8) {
			g1[i] ^= int64(in.uint64()) & (most - 1)
			g0[i] ^= int64(in.uint64()) & (most - 1)
		}
		eachKernel(t, func() {
			checkSelectEither(t, r, g1, g0, most)
			checkSurvey(t, r, g1, g0, most)
		})
	})
}
