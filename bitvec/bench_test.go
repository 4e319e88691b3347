package bitvec

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// benchWords are the sizes of real instances (2 haberman, 4 compas, 28 cars,
// 165 stop-and-frisk) and beyond the caches.
var benchWords = []int{2, 4, 8, 28, 165, 1000, 10000}

// benchSpace has costs as real instances do: a heavy head, a long tail of 1.
func benchSpace(words, columns int) (*space, *Planes, *Matrix) {
	r := rand.New(rand.NewPCG(1, uint64(words)))
	s := &space{words: words, words1: (words + 1) / 2, costs: make([]int64, words*64)}
	for class, from := range []int{0, s.words1} {
		points := []int{s.words1, words - s.words1}[class] * 64
		for i := range points {
			s.costs[from*64+i] = max(1, 100/(1+int64(i)*100/int64(max(points, 300))))
		}
	}
	for range columns {
		u := make([]uint64, words)
		for w := range u {
			u[w] = r.Uint64() & r.Uint64()
		}
		s.columns = append(s.columns, u)
	}
	return s, NewPlanes(s.costs, s.words1), s.matrix()
}

func benchKernels(b *testing.B, f func(b *testing.B)) {
	before := Kernel()
	defer func() { check(b, UseKernel(before)) }()
	for _, name := range Kernels() {
		check(b, UseKernel(name))
		b.Run(name, f)
	}
}

// randomSets draws dense sets, so that branch predictors see what a search
// shows them: another set every time.
func (s *space) randomSets(n int) (sets [][]uint64) {
	r := rand.New(rand.NewPCG(7, 7))
	for range n {
		u := make([]uint64, s.words)
		for w := range u {
			u[w] = r.Uint64() | r.Uint64()
		}
		sets = append(sets, u)
	}
	return sets
}

// BenchmarkCount counts all columns of a node; MB/s is of the block words that
// the steps read. BenchmarkRead is the machine's limit on the same memory.
func BenchmarkCount(b *testing.B) {
	for _, words := range benchWords {
		s, p, m := benchSpace(words, 160)
		sets := s.randomSets(16)
		g1, g0 := make([]int64, m.Blocks()*Lanes), make([]int64, m.Blocks()*Lanes)
		b.Run(fmt.Sprint(words), func(b *testing.B) {
			benchKernels(b, func(b *testing.B) {
				var prog Program
				b.SetBytes(int64(p.PlaneWords()) * 64 * int64(m.Blocks()))
				for i := 0; b.Loop(); i++ {
					p.Compile(&prog, sets[i%len(sets)])
					m.Count(&prog, 0, m.Blocks(), g1, g0)
				}
			})
		})
	}
}
