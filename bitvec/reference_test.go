package bitvec

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
)

// edgeWords are the set sizes around which word kernels go wrong.
var edgeWords = []int{0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65}

// requireEnv lists kernels (separated by commas) whose absence fails the
// tests, so that a kernel that was not run does not look tested.
const requireEnv = "PARCORELS_REQUIRE_KERNELS"

// withKernels runs f once with every kernel that this machine has.
func withKernels(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	before := Kernel()
	defer func() { check(t, UseKernel(before)) }()
	for _, name := range Kernels() {
		check(t, UseKernel(name))
		t.Run(name, f)
	}
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestRequiredKernels(t *testing.T) {
	for name := range strings.SplitSeq(os.Getenv(requireEnv), ",") {
		if name != "" && !slices.Contains(Kernels(), name) {
			t.Errorf("%s asks for %q, this machine runs only %v", requireEnv, name, Kernels())
		}
	}
}

// space is a set of weighted points with columns over them, held as a plain
// list of costs: the definition that kernels are compared with.
type space struct {
	words, words1 int
	costs         []int64 // per bit position, 0 where there is no point
	columns       [][]uint64
}

// costStyles are the shapes of cost vectors that real instances have, and
// those that exercise every plane.
var costStyles = map[string]func(r *rand.Rand) int64{
	"unit":     func(*rand.Rand) int64 { return 1 },
	"small":    func(r *rand.Rand) int64 { return 1 + r.Int64N(5) },
	"skewed":   func(r *rand.Rand) int64 { return 1 + r.Int64N(1<<r.IntN(10)) },
	"weighted": func(r *rand.Rand) int64 { return 1618 * (1 + r.Int64N(3)) },
	"wide":     func(r *rand.Rand) int64 { return 1 + r.Int64N(1<<40) },
	"huge":     func(r *rand.Rand) int64 { return 1 + r.Int64N(1<<50) },
}

// newSpace draws a space. The last word of either class is padded: its upper
// positions hold no point.
func newSpace(r *rand.Rand, words, words1, columns int, cost func(*rand.Rand) int64) *space {
	s := &space{words: words, words1: words1, costs: make([]int64, 64*words)}
	for class, end := range []int{words1, words} {
		from := []int{0, words1}[class] * 64
		to := end*64 - r.IntN(64)
		for i := from; i < to; i++ {
			s.costs[i] = cost(r)
		}
		if from < to && r.IntN(4) > 0 {
			slices.Sort(s.costs[from:to])
			slices.Reverse(s.costs[from:to])
		}
	}
	for range columns {
		s.columns = append(s.columns, s.set(r))
	}
	return s
}

// set draws a set of points: empty, full, sparse, dense, or with words empty.
func (s *space) set(r *rand.Rand) []uint64 {
	u := make([]uint64, s.words)
	style := r.IntN(6)
	for w := range u {
		switch style {
		case 0:
		case 1:
			u[w] = ^uint64(0)
		case 2:
			u[w] = r.Uint64() & r.Uint64() & r.Uint64()
		case 3:
			u[w] = r.Uint64() | r.Uint64() | r.Uint64()
		case 4:
			if r.IntN(3) == 0 {
				u[w] = r.Uint64()
			}
		default:
			u[w] = r.Uint64()
		}
		for i := range 64 {
			if s.costs[w*64+i] == 0 {
				u[w] &^= 1 << i
			}
		}
	}
	return u
}

// cost adds up the costs of the points of u in [from, to) word by word, bit
// by bit, for which also holds.
func (s *space) cost(u []uint64, from, to int, also func(w, bit int) bool) (g int64) {
	for w := from; w < to; w++ {
		for bit := range 64 {
			if u[w]>>bit&1 == 1 && also(w, bit) {
				g += s.costs[w*64+bit]
			}
		}
	}
	return g
}

// meet returns the cost of the points of a∩b by class.
func (s *space) meet(a, b []uint64) (g1, g0 int64) {
	in := func(w, bit int) bool { return b[w]>>bit&1 == 1 }
	return s.cost(a, 0, s.words1, in), s.cost(a, s.words1, s.words, in)
}

// excess returns the cost of the points of a\b.
func (s *space) excess(a, b []uint64) int64 {
	return s.cost(a, 0, s.words, func(w, bit int) bool { return b[w]>>bit&1 == 0 })
}

func (s *space) matrix() *Matrix {
	m := NewMatrix(len(s.columns), s.words)
	for i, c := range s.columns {
		m.Set(i, c)
	}
	return m
}

func (s *space) String() string {
	return fmt.Sprintf("%d words, %d of class 1, %d columns, costs %v", s.words, s.words1, len(s.columns), s.costs)
}

// spaces calls f with a space of every edge size and cost style.
func spaces(t *testing.T, f func(t *testing.T, r *rand.Rand, s *space)) {
	for style, cost := range costStyles {
		for i, words := range edgeWords {
			if testing.Short() && words > 17 {
				continue
			}
			r := rand.New(rand.NewPCG(uint64(i), 7))
			words1 := r.IntN(words + 1)
			columns := []int{1, 8, 9, 16, 23, 31, 40, 70}[i%8]
			s := newSpace(r, words, words1, columns, cost)
			t.Run(fmt.Sprintf("%s/%d", style, words), func(t *testing.T) { f(t, r, s) })
		}
	}
}
