package separation

import (
	"math"
	"math/bits"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"parcorels/bitvec"
	"parcorels/costs"
)

// Nearest pairs. The inequality of a pair, two points of different labels, is the
// stronger the fewer rules hold one point and not the other. So the pool starts
// with the pairs of each point and the points of other labels that the
// fewest live rules tell from it.

// Pairs is the search for these pairs. Goroutines share it by blocks of points.
// It needs no incumbent, so some may begin while the caller looks for one.
type Pairs struct {
	p       *Problem
	c       *Context
	all     []Point        // that are left
	of      [][]Point      // by label
	others  [][]Point      // by label, those of all others
	near    [][]neighbours // by label, of each of its points
	blocks  []offered      // of points
	next    atomic.Int32   // block that nobody has taken
	left    atomic.Bool    // the pairs are not needed any more
	merging sync.Mutex
	beside  sync.WaitGroup

	countsAll bool // the work is said as if all pairs were compared
}

// BeginPairs looks for the pairs of the empty prefix in up to so many goroutines, the
// caller included, who is to call Root or Leave. Their work counts as AllPairWork if countsAll is true.
func (p *Problem) BeginPairs(goroutines int, countsAll bool) *Pairs {
	s := p.newPairs(p.NewContext())
	s.countsAll = countsAll
	s.begin(goroutines)
	return s
}

func (p *Problem) newPairs(c *Context) *Pairs {
	s := &Pairs{p: p, c: c, of: make([][]Point, p.labels), others: make([][]Point, p.labels), near: make([][]neighbours, p.labels)}
	for i := range bitvec.Members(c.Left) {
		e := Point(i)
		s.all = append(s.all, e)
		for q := range s.of {
			if q == p.label(e) {
				s.of[q] = append(s.of[q], e)
			} else {
				s.others[q] = append(s.others[q], e)
			}
		}
	}
	for q, others := range s.others {
		s.near[q] = noNeighbours(len(s.of[q]))
		for part := range slices.Chunk(others, pairBlock) {
			s.blocks = append(s.blocks, offered{q, part})
		}
	}
	return s
}

// offered is points that are offered to those of a label.
type offered struct {
	label  int
	points []Point
}

func (s *Pairs) begin(goroutines int) {
	for range min(goroutines, runtime.GOMAXPROCS(0), len(s.all)/(2*pairBlock)) - 1 {
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

// look compares the points of one block after the other with those of other labels.
func (s *Pairs) look() {
	sides := make([]*side, len(s.of))
	for at := int(s.next.Add(1)) - 1; at < len(s.blocks); at = int(s.next.Add(1)) - 1 {
		q := s.blocks[at].label
		if sides[q] == nil {
			sides[q] = s.newSide(q)
		}
		for _, e := range s.blocks[at].points {
			if s.left.Load() {
				return
			}
			sides[q].offer(e)
		}
	}
	s.merge(sides)
}

// merge adds what one goroutine has found.
func (s *Pairs) merge(sides []*side) {
	s.merging.Lock()
	defer s.merging.Unlock()
	for q, side := range sides {
		if side == nil {
			continue
		}
		for j, x := range side.near {
			for _, y := range x {
				s.near[q][j].offer(y)
			}
		}
	}
}

// side is a goroutine's search for the neighbours of all points of a label. Its matrix has a
// column for each of them: the antecedents that hold the point, then those that do not. So one count of the
// columns within a threshold each finds the points to which another one may be nearer.
type side struct {
	s      *Pairs
	q      int
	near   []neighbours
	matrix *bitvec.Matrix
	planes []*bitvec.Planes // by the label of the other point; nil before the first
	prog   bitvec.Program
	beyond []int64  // less the largest distance that is nearer
	outer  []uint64 // as the columns, of the point that is offered
}

func (s *Pairs) newSide(q int) *side {
	p, points := s.p, s.of[q]
	x := &side{
		s: s, q: q, near: noNeighbours(len(points)), outer: make([]uint64, 2*p.width), planes: make([]*bitvec.Planes, p.labels),
	}
	x.matrix = bitvec.NewMatrix(len(points), 2*p.width)
	x.beyond = make([]int64, x.matrix.Blocks()*bitvec.Lanes)
	for j, e := range points {
		x.matrix.Set(j, x.both(e))
		x.beyond[j] = 1 - far
	}
	for j := len(points); j < len(x.beyond); j++ {
		x.beyond[j] = bitvec.Unspent
	}
	return x
}

// tell returns the antecedents whose rules are pure on a pair of a point of the side and one of a label, each of weight 1.
func (x *side) tell(label int) *bitvec.Planes {
	if x.planes[label] == nil {
		p, live := x.s.p, x.s.c.Live
		costs := make([]int64, 2*64*p.width)
		for col := range p.Columns {
			at, bit := col/64, col%64
			costs[col] = int64(live[x.q][at] >> bit & 1)
			costs[64*p.width+col] = int64(live[label][at] >> bit & 1)
		}
		x.planes[label] = bitvec.NewPlanes(costs, p.width)
	}
	return x.planes[label]
}

// both returns the antecedents that hold a point and those that do not.
func (x *side) both(e Point) []uint64 {
	width := x.s.p.width
	for i, w := range x.s.p.row(e) {
		x.outer[i], x.outer[width+i] = w, ^w
	}
	return x.outer
}

// offer offers a point of another label to all. Points come in ascending order, so none is kept
// before one that is as near.
func (x *side) offer(e Point) {
	x.tell(x.s.p.label(e)).CompileComplement(&x.prog, x.both(e))
	for at, end := 0, x.matrix.Blocks(); at < end; at++ {
		var lanes uint8
		for at, lanes = x.matrix.FirstWithin(&x.prog, at, end, x.beyond, 0); lanes != 0; lanes &= lanes - 1 {
			j := at*bitvec.Lanes + bits.TrailingZeros8(lanes)
			near := &x.near[j]
			near.offer(neighbour{x.s.p.apart(x.s.c, x.s.of[x.q][j], e), e})
			x.beyond[j] = int64(1 - near[nearest-1].distance)
		}
	}
}

// add takes part in the search, waits for its end and adds the pairs.
func (s *Pairs) add(l *Pool) {
	s.look()
	s.beside.Wait()
	ends := 0 // of pairs, which are mostly found from both
	for _, near := range s.near {
		ends += len(near) * len(neighbours{})
	}
	l.pure = slices.Grow(l.pure, ends/2*s.p.labels*s.p.width)
	for q := range s.near {
		for i, e := range s.of[q] {
			for _, x := range s.near[q][i] {
				if x.distance < far {
					l.Add([]Point{e, x.point})
				}
			}
		}
	}
}

// work is that of the whole search.
func (s *Pairs) work() int64 { return PairWork(s.p.costs, len(s.p.Columns), s.countsAll) }

// PairWork is the work of finding the nearest pairs of points of different labels, by counts of eight pairs at a time, or
// with all as if each pair was compared by itself.
func PairWork(t *costs.Table, columns int, all bool) int64 {
	of, points, pairs, words := make([]int64, t.Labels), int64(0), int64(0), int64((columns+63)/64)
	for e, cost := range t.Own {
		if cost > 0 {
			of[t.ByWord[e/64]]++
		}
	}
	for _, n := range of {
		pairs += points * n
		points += n
	}
	if all {
		return pairs * (words + pairEntries)
	}
	return pairs*words/2 + pointEntries*points
}

// Entries of the LP that take as long as what a point takes beside its pairs, which are added to the
// pool, and as what a pair takes beside its words: it is offered to the lists of its two points.
const (
	pointEntries = 300
	pairEntries  = 2
)

// apart returns how many live rules are pure on the pair of e and f, of different labels.
func (p *Problem) apart(c *Context, e, f Point) (n int) {
	row, other := p.row(e), p.row(f)
	live, others := c.Live[p.label(e)], c.Live[p.label(f)]
	for i, a := range row {
		n += bits.OnesCount64(a&^other[i]&live[i]) + bits.OnesCount64(other[i]&^a&others[i])
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

// nearest is the number of nearest pairs of each point in the first pool.
const nearest = 2

// neighbours are the nearest ones in their order, those that are missing with a distance of far.
type neighbours [nearest]neighbour

const far = math.MaxInt32

// noNeighbours returns so many empty lists.
func noNeighbours(lists int) []neighbours {
	return slices.Repeat([]neighbours{{{distance: far}, {distance: far}}}, lists)
}

// offer keeps x if it is among the nearest.
func (l *neighbours) offer(x neighbour) {
	for i := range l {
		if x.before(l[i]) {
			x, l[i] = l[i], x
		}
	}
}
