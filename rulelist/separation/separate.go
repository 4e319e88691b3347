package separation

import (
	"cmp"
	"math/bits"
	"parcorels/bitvec"
	"parcorels/loop"
	"slices"
	"sync"
	"sync/atomic"
)

// Separation: sets whose inequality the present v violates.
//
// Only the rules with v > 0 and the points' z matter for the left side, so points
// are told apart by their label and the used rules that hold them, their profile.
// Among the points with one profile, those with the smallest z stand for all (it may
// be 0 for many; some are kept, since they differ in the rules that are not used).
// All pairs of profiles are looked at. Larger sets
// grow greedily from the pairs whose left sides are smallest: a point that
// spoils the purity of more than it adds lowers the left side. They pay where the search is long:
// pima with λ = .0167 takes 1.5 s with them and more than 20 without (mayGrow).

const (
	largestSet = 12
	tolerance  = 1e-3 // a violation that is worth a row
	mostUsed   = 64   // rules, by falling v
	mostMisses = 60   // pairs in a row that grow into nothing new
	mostPairs  = 4000 // pairs to look at closely
	mostPoints = 48   // that stand for a profile
	pairSlack  = 0.25 // of a pair that a violated set may grow from
	pairBlock  = 64   // profiles that one goroutine pairs with all others at a time
	holdBlock  = 16   // words of points that one goroutine looks at a time
	pairBins   = 128  // of a histogram of left sides
)

// separator finds violated sets for one v.
type separator struct {
	p *Problem
	c *Context
	l *Pool

	used       []used
	found      []used      // as used, in the order of rules
	order      []int32     // places in found, then in pairs: numbers are sorted by code that is there
	z          []float64   // by point
	holds      []uint64    // by point, the used rules that hold it
	profiles   [][]profile // by label
	pairs      []scored
	blocks     []pairs // by block of profiles
	scored     scoredBlocks
	pure       []uint64 // by label, the used rules
	growing    []uint64 // by label, those that hold a point of a set that grows
	sums       [][256]float64
	goroutines int
	looked     int64   // pairs of profiles that the last find looked at
	rest       float64 // v of the used rules beyond mostUsed, not looked at
}

type used struct {
	rule  int32
	value float64
}

func byValue(a, b *used) int {
	return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(a.rule, b.rule))
}

// profile is the points of one label that the same used rules hold.
type profile struct {
	held   uint64 // used rules, by place
	z      float64
	points []Point // some with that z
}

// scored is a pair of profiles, of which the first has the larger label. They are numbered
// label by label.
type scored struct {
	left float64
	e, f int32
}

// find adds violated sets to the pool and returns them. Values has v by
// variable of m. Sets larger than pairs are among them if larger is true.
func (s *separator) find(c *Context, m *lp, values []float64, most int, larger bool) (added []int32) {
	s.c = c
	s.read(m, values)
	s.scorePairs()
	violated := 0
	for violated < len(s.order) && s.pairs[s.order[violated]].left < 1-tolerance {
		violated++
	}
	for _, at := range s.order[:violated] {
		if len(added) >= most {
			break
		}
		added = append(added, s.addPair(s.pairs[at], max(1, most/violated))...)
	}
	if !larger || len(added) >= most/2 {
		return added
	}
	misses := 0
	for _, at := range s.order {
		if len(added) >= most || misses >= mostMisses {
			break
		}
		misses++
		if set := s.grow(s.pairs[at]); set != nil {
			if k, fresh := s.l.Add(set); fresh {
				added = append(added, k)
				misses = 0
			}
		}
	}
	return added
}

// read takes in v: the used rules and the profiles.
func (s *separator) read(m *lp, values []float64) {
	s.used, s.found, s.order = s.used[:0], s.found[:0], s.order[:0]
	s.z = resize(s.z, len(s.p.cost))
	clear(s.z)
	for v, x := range values {
		switch {
		case v >= m.rules:
			s.z[m.name[v]] = x
		case x > 1e-6:
			s.order = append(s.order, int32(len(s.found)))
			s.found = append(s.found, used{m.name[v], x})
		}
	}
	slices.SortFunc(s.order, func(a, b int32) int { return byValue(&s.found[a], &s.found[b]) })
	for _, at := range s.order {
		s.used = append(s.used, s.found[at])
	}
	s.rest = 0
	if len(s.used) > mostUsed {
		for _, u := range s.used[mostUsed:] {
			s.rest += u.value
		}
		s.used = s.used[:mostUsed]
	}
	s.tabulate()
	s.profile()
	s.sortProfiles()
}

func (s *separator) profile() {
	at := make([]map[uint64]int, s.p.labels)
	s.profiles = resize(s.profiles, s.p.labels)
	for q := range at {
		at[q] = map[uint64]int{}
		s.profiles[q] = s.profiles[q][:0]
	}
	s.hold()
	for i := range bitvec.Members(s.c.Left) {
		e := Point(i)
		q, z := s.p.label(e), s.z[e]
		held := s.holds[e]
		k, ok := at[q][held]
		if !ok {
			at[q][held] = len(s.profiles[q])
			s.profiles[q] = append(s.profiles[q], profile{held: held, z: z, points: []Point{e}})
			continue
		}
		x := &s.profiles[q][k]
		switch {
		case z < x.z-1e-9:
			x.z, x.points = z, append(x.points[:0], e)
		case z < x.z+1e-9 && len(x.points) < mostPoints:
			x.points = append(x.points, e)
		}
	}
}

// sortProfiles puts the profiles with the smallest z first.
func (s *separator) sortProfiles() {
	for q := range s.profiles {
		slices.SortFunc(s.profiles[q], func(a, b profile) int {
			return cmp.Or(cmp.Compare(a.z, b.z), cmp.Compare(a.held, b.held))
		})
	}
}

// hold fills in holds.
func (s *separator) hold() {
	s.holds = resize(s.holds, len(s.p.cost))
	s.share((len(s.c.Left)+holdBlock-1)/holdBlock, func(k int) {
		first := k * holdBlock
		for i := range bitvec.Members(s.c.Left[first:min(first+holdBlock, len(s.c.Left))]) {
			e := Point(first*64 + i)
			s.holds[e] = s.held(e)
		}
	})
}

// share calls do for 0 to n−1, in several goroutines.
func (s *separator) share(n int, do func(int)) {
	loop.ParallelWith(s.goroutines, n, func() func(int) { return do })
}

// held returns the used rules that hold a point.
func (s *separator) held(e Point) (held uint64) {
	row := s.p.row(e)
	for k, u := range s.used {
		col := int(u.rule) / s.p.labels
		held |= row[col/64] >> (col % 64) & 1 << k
	}
	return held
}

// of returns the used rules of a label.
func (s *separator) of(label int) (rules uint64) {
	for k, u := range s.used {
		if int(u.rule)%s.p.labels == label {
			rules |= 1 << k
		}
	}
	return rules
}

// tabulate prepares sum: the sums of each byte of a set of used rules.
func (s *separator) tabulate() {
	s.sums = s.sums[:0]
	for first := 0; first < len(s.used); first += 8 {
		var t [256]float64
		for b := 1; b < len(t); b++ {
			low := bits.TrailingZeros(uint(b))
			t[b] = t[b&(b-1)]
			if first+low < len(s.used) {
				t[b] += s.used[first+low].value
			}
		}
		s.sums = append(s.sums, t)
	}
}

// sum adds up v of used rules.
func (s *separator) sum(rules uint64) (sum float64) {
	for i := range s.sums {
		sum += s.sums[i][byte(rules>>(8*i))]
	}
	return sum
}

// scorePairs finds the pairs of profiles with small left sides, smallest first.
func (s *separator) scorePairs() {
	all, smallest := 0, len(s.profiles[0])
	s.pure = s.pure[:0]
	for q, of := range s.profiles {
		all += len(of)
		s.pure = append(s.pure, s.of(q))
	}
	s.blocks = resize(s.blocks, (all-smallest+pairBlock-1)/pairBlock)
	s.scored.count = [pairBins]int32{}
	s.scored.last.Store(pairBins - 1)
	s.share(len(s.blocks), func(k int) {
		first := smallest + k*pairBlock
		s.scoreBlock(&s.blocks[k], first, min(first+pairBlock, all))
	})
	last := int(s.scored.last.Load())
	s.pairs, s.looked = s.pairs[:0], 0
	for k := range s.blocks {
		s.blocks[k].thin(last)
		s.looked += s.blocks[k].looked
		s.pairs = append(s.pairs, s.blocks[k].pairs...)
	}
	s.order = s.order[:0]
	for i := range s.pairs {
		s.order = append(s.order, int32(i))
	}
	slices.SortFunc(s.order, func(a, b int32) int { return s.pairs[a].compare(&s.pairs[b]) })
}

// compare orders pairs by their left sides. No two are equal.
func (x *scored) compare(y *scored) int {
	return cmp.Or(cmp.Compare(x.left, y.left), cmp.Compare(x.e, y.e), cmp.Compare(x.f, y.f))
}

// scoredBlocks is what is known of the blocks that have been scored: no pair in a bin after
// last is kept, whatever is in the others.
type scoredBlocks struct {
	last  atomic.Int32
	mutex sync.Mutex
	count [pairBins]int32 // of their pairs
}

func (s *scoredBlocks) add(count *[pairBins]int32) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for i, n := range count {
		s.count[i] += n
	}
	s.last.Store(int32(lastBin(&s.count)))
}

// pairs are those of a block of profiles with those of smaller labels, and how
// many there are by left side.
type pairs struct {
	pairs  []scored
	count  [pairBins]int32
	last   int // bin that is kept of them
	looked int64
}

// bin says in which of the bins of a histogram a left side is.
func bin(left float64) int { return min(int(max(0, left)*(pairBins/(1+pairSlack))), pairBins-1) }

// numbered returns the profile of a number, and its label.
func (s *separator) numbered(n int) (x *profile, label int) {
	for n >= len(s.profiles[label]) {
		n -= len(s.profiles[label])
		label++
	}
	return &s.profiles[label][n], label
}

// scoreBlock finds the pairs of the profiles from one number to another. Its counts are its own
// until the end, as others write next to the block.
func (s *separator) scoreBlock(to *pairs, from, end int) {
	b := pairs{pairs: to.pairs[:0], last: int(s.scored.last.Load())}
	for i := from; i < end; i++ {
		x, label := s.numbered(i)
		first := 0
		for q, of := range s.profiles[:label] {
			s.scoreProfile(&b, x, of, s.pure[label], s.pure[q], i, first)
			first += len(of)
		}
		if len(b.pairs) > 2*mostPairs {
			b.thin(min(b.last, lastBin(&b.count)))
		}
	}
	s.scored.add(&b.count)
	*to = b
}

// scoreProfile adds the pairs of profile i with those of another label, which are numbered from
// first. Their used rules are own and other.
func (s *separator) scoreProfile(b *pairs, x *profile, of []profile, own, other uint64, i, first int) {
	for j := range of {
		y := &of[j]
		z := x.z + y.z
		b.looked++
		if z >= 1+pairSlack {
			return // by rising z
		}
		if left := z + s.sum(x.held&^y.held&own|y.held&^x.held&other); left < 1+pairSlack {
			at := bin(left)
			if b.count[at]++; at <= b.last {
				b.pairs = append(b.pairs, scored{left, int32(i), int32(first + j)})
			}
		}
	}
}

// thin leaves the pairs of the bins up to one. A block keeps more by its own counts, or those
// of some blocks, than what is kept by those of all, so a block never needs to hold many.
func (b *pairs) thin(last int) {
	b.last = last
	b.pairs = slices.DeleteFunc(b.pairs, func(x scored) bool { return bin(x.left) > last })
}

// lastBin returns the last bin to keep so that about mostPairs pairs are left.
func lastBin(count *[pairBins]int32) (last int) {
	n := count[0]
	for last < pairBins-1 && n+count[last+1] <= mostPairs {
		last++
		n += count[last]
	}
	return last
}

// addPair adds a pair of profiles as up to so many pairs of points: for some of
// the points that stand for one, that of the other which the fewest live rules
// tell from it, and the other way round.
func (s *separator) addPair(x scored, most int) (added []int32) {
	e, _ := s.numbered(int(x.e))
	f, _ := s.numbered(int(x.f))
	a, b := e.points, f.points
	offer := func(e, f Point) {
		if k, fresh := s.l.Add([]Point{e, f}); fresh {
			added = append(added, k)
		}
	}
	for i := range max(len(a), len(b)) {
		if len(added) >= most {
			break
		}
		if i < len(a) {
			offer(a[i], s.nearest(b, func(f Point) int { return s.p.apart(s.c, a[i], f) }))
		}
		if i < len(b) {
			offer(s.nearest(a, func(e Point) int { return s.p.apart(s.c, e, b[i]) }), b[i])
		}
	}
	return added
}

// nearest returns the point with the smallest distance.
func (s *separator) nearest(points []Point, distance func(Point) int) (best Point) {
	least := -1
	for _, e := range points {
		if d := distance(e); least < 0 || d < least {
			best, least = e, d
		}
	}
	return best
}

// grow returns a violated set that contains a pair, or nil.
func (s *separator) grow(x scored) []Point {
	a, label := s.numbered(int(x.e))
	b, other := s.numbered(int(x.f))
	held := resize(s.growing, s.p.labels)
	clear(held)
	s.growing, held[label], held[other] = held, a.held, b.held
	set := []Point{b.points[0], a.points[0]}
	left, z := x.left, a.z+b.z
	for len(set) < largestSet {
		best, at, label := left-1e-6, -1, 0
		for q := range s.profiles {
			for i := range s.profiles[q] {
				y := &s.profiles[q][i]
				if z+y.z >= best {
					break // by rising z
				}
				before := held[q]
				held[q] |= y.held
				if v := z + y.z + s.sum(s.pureOf(held)); v < best {
					best, at, label = v, i, q
				}
				held[q] = before
			}
		}
		if at < 0 {
			break
		}
		y := &s.profiles[label][at]
		set, left, z = append(set, y.points[0]), best, z+y.z
		held[label] |= y.held
	}
	if left > 1-tolerance || len(set) == 2 {
		return nil
	}
	return set
}

// pureOf returns the used rules that are pure on a set, by the used rules that hold its points
// of each label.
func (s *separator) pureOf(held []uint64) (pure uint64) {
	if len(held) == 2 {
		return held[1]&^held[0]&s.pure[1] | held[0]&^held[1]&s.pure[0]
	}
	var once, twice uint64
	for _, h := range held {
		twice |= once & h
		once |= h
	}
	for q, h := range held {
		pure |= h &^ twice & s.pure[q]
	}
	return pure
}
