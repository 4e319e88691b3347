package separation

import (
	"math/bits"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// Nearest pairs. The inequality of a pair, one point of either label, is the
// stronger the fewer rules hold one point and not the other. So the pool starts
// with the pairs of each point and the points of the other label that the
// fewest live rules tell from it.

// Pairs is the search for these pairs. Goroutines share it by blocks of points of label 1.
// It needs no incumbent, so some may begin while the caller looks for one.
type Pairs struct {
	p       *Problem
	c       *Context
	all     []Point         // that are left
	of      [2][]Point      // by label; of more than two labels all of them, twice
	near    [2][]neighbours // of each of them
	next    atomic.Int32    // block that nobody has taken
	left    atomic.Bool     // the pairs are not needed any more
	merging sync.Mutex
	beside  sync.WaitGroup
}

// BeginPairs looks for the pairs of the empty prefix in up to so many goroutines, the
// caller included, who is to call Root or Leave.
func (p *Problem) BeginPairs(goroutines int) *Pairs {
	s := p.newPairs(p.NewContext())
	s.begin(goroutines)
	return s
}

func (p *Problem) newPairs(c *Context) *Pairs {
	s := &Pairs{p: p, c: c}
	for i, w := range c.Left {
		for ; w != 0; w &= w - 1 {
			e := Point(i*64 + bits.TrailingZeros64(w))
			if s.all = append(s.all, e); p.labels == 2 {
				s.of[p.label(e)] = append(s.of[p.label(e)], e)
			}
		}
	}
	if p.labels > 2 { // all with all, by both lists
		s.of[0], s.of[1] = s.all, s.all
	}
	for q := range s.near {
		s.near[q] = noNeighbours(len(s.of[q]))
	}
	return s
}

func (s *Pairs) begin(goroutines int) {
	for range min(goroutines, runtime.GOMAXPROCS(0), len(s.of[1])/pairBlock) - 1 {
		s.beside.Go(s.look)
	}
}

// Leave ends the search, and does nothing after its end or without one.
func (s *Pairs) Leave() {
	if s != nil {
		s.left.Store(true)
		s.beside.Wait()
	}
}

// work is that of the whole search.
func (s *Pairs) work() int64 {
	if s.p.labels > 2 {
		return PairWork(int64(len(s.all)), int64(len(s.all)/2), len(s.p.Columns))
	}
	return PairWork(int64(len(s.of[1])), int64(len(s.of[0])), len(s.p.Columns))
}

// look compares the points of one block after the other with those of label 0.
func (s *Pairs) look() {
	zeros := noNeighbours(len(s.of[0]))
	for at := int(s.next.Add(1)-1) * pairBlock; at < len(s.of[1]); at = int(s.next.Add(1)-1) * pairBlock {
		for i := at; i < min(at+pairBlock, len(s.of[1])); i++ {
			if s.left.Load() {
				return
			}
			s.compare(i, zeros)
		}
	}
	s.merging.Lock()
	defer s.merging.Unlock()
	for j, x := range zeros {
		for _, y := range x {
			s.near[0][j].offer(y)
		}
	}
}

// compare offers point i of label 1 and each point of label 0 to each other.
func (s *Pairs) compare(i int, zeros []neighbours) {
	e, near := s.of[1][i], s.near[1][i]
	others := s.of[0]
	if s.p.labels > 2 {
		others = others[:i]
	}
	for j, f := range others {
		if s.p.labels > 2 && s.p.label(e) == s.p.label(f) {
			continue
		}
		d := s.p.apart(s.c, e, f)
		near.offer(neighbour{d, f})
		zeros[j].offer(neighbour{d, e})
	}
	s.near[1][i] = near
}

// add takes part in the search, waits for its end and adds the pairs.
func (s *Pairs) add(l *Pool) {
	s.look()
	s.beside.Wait()
	for q := range s.near {
		for i, e := range s.of[q] {
			for _, x := range s.near[q][i] {
				l.Add([]Point{e, x.point})
			}
		}
	}
}

// PairWork is the work of comparing all pairs of so many points of either label.
func PairWork(ones, zeros int64, columns int) int64 {
	return ones * zeros * int64((columns+63)/64+pairEntries)
}

// pairEntries is how many entries of the LP take as long as what a pair takes beside its
// words: it is offered to the lists of its two points.
const pairEntries = 2

// apart returns how many live rules are pure on the pair of e and f, of different labels.
func (p *Problem) apart(c *Context, e, f Point) (n int) {
	one, zero := p.row(e), p.row(f)
	live1, live0 := c.Live[p.label(e)], c.Live[p.label(f)]
	for i, a := range one {
		n += bits.OnesCount64(a&^zero[i]&live1[i]) + bits.OnesCount64(zero[i]&^a&live0[i])
	}
	return n
}

type neighbour struct {
	distance int
	point    Point
}

// before orders neighbours, the nearest first, and of equal ones the first points.
func (x neighbour) before(y neighbour) bool {
	return x.distance < y.distance || x.distance == y.distance && x.point < y.point
}

// neighbours are the nearest ones in their order.
type neighbours []neighbour

// noNeighbours returns so many empty lists, with room for all they may hold.
func noNeighbours(lists int) []neighbours {
	all := make([]neighbour, lists*nearest)
	of := make([]neighbours, lists)
	for i := range of {
		of[i] = all[i*nearest : i*nearest : (i+1)*nearest]
	}
	return of
}

// offer keeps x if it is among the nearest.
func (l *neighbours) offer(x neighbour) {
	if len(*l) < nearest || x.before((*l)[nearest-1]) {
		l.insert(x)
	}
}

func (l *neighbours) insert(x neighbour) {
	kept := (*l)[:min(len(*l), nearest-1)]
	at := len(kept)
	for at > 0 && x.before(kept[at-1]) {
		at--
	}
	*l = slices.Insert(kept, at, x)
}
