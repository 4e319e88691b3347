package numeric

import (
	"math"
	"math/bits"
	"slices"
	"sort"

	"parcorels/bitvec"
)

// set is some items, numbered from 0 and listed in the order of each column, those of equal ranks
// by class.
type set struct {
	lists   [][]entry
	items   []int32 // of the table, by number
	classes []int64 // weight by class
	weight  int64
	best    choice // of the last solve, where that was exact
}

// entry is an item in the list of a column: its key there (see Table) and its number in the set.
// Lists are read from front to back, so keys beside the numbers cost no jumps through memory.
type entry = bitvec.BinItem

// rank and class return the parts of an entry's key.
func (t *Table) rank(e entry) int32  { return e.Key() >> t.bits }
func (t *Table) classOf(e entry) int { return int(e.Key() & (1<<t.bits - 1)) }

// weightOf returns the weight of an item of a set.
func (s *search) weightOf(of *set, e entry) int64 {
	if s.plain {
		return 1
	}
	return s.table.weight[of.items[e.Number()]]
}

// size returns the number of items.
func (s *set) size() int { return len(s.items) }

// split is a column, and the first rank on the right.
type split struct {
	column int
	rank   int32
}

// choice is how the best tree of a set begins.
type choice struct {
	leaf   bool
	column int
	place  int  // items on the side with the smaller ranks
	tree   Tree // whole, of sets with three levels and more
}

// sides holds both sides of a split in memory that is used again.
type sides struct {
	memory      []entry
	left, right set
}

// split lists both sides of a set, of which the first place items in the order of column are the
// left one.
func (w *worker) split(s *set, column, place int, to *sides) {
	n := s.size()
	if need := len(s.lists) * n; cap(to.memory) < need {
		to.memory = make([]entry, need)
	}
	// Items are numbered anew, in the order of the column: fewer lines of memory are touched later.
	for side, x := range []*set{&to.left, &to.right} {
		x.classes = append(x.classes[:0], make([]int64, w.table.Classes)...)
		list := s.lists[column][:place]
		if side == 1 {
			list = s.lists[column][place:]
		}
		x.items = slices.Grow(x.items[:0], len(list))[:len(list)]
		x.weight = 0
		for p, e := range list {
			number := e.Number()
			w.number[number] = int32(p + side*place)
			x.items[p] = s.items[number]
			weight := w.weightOf(s, e)
			x.classes[w.table.classOf(e)] += weight
			x.weight += weight
		}
		x.lists = x.lists[:0]
	}
	numbers := w.number[:n]
	for h, list := range s.lists {
		out := to.memory[h*n : h*n+n]
		left, right := 0, place
		for _, e := range list {
			p := int(numbers[e.Number()])
			is := (p - place) >> (bits.UintSize - 1) // all bits on the left
			out[right^(left^right)&is] = e&^math.MaxUint32 | entry(p-place&^is)
			left -= is
			right += 1 + is
		}
		to.left.lists = append(to.left.lists, out[:place:place])
		to.right.lists = append(to.right.lists, out[place:n:n])
	}
}

// leafValue returns the value of a set as one leaf, and its class.
func (w *search) leafValue(s *set) (value int64, class int) {
	class = heaviest(s.classes)
	return w.One(s.weight - s.classes[class]), class
}

// places appends where a column parts a set: the numbers of items in front of each place, from
// 0 to all. Equal ranks are not parted.
func (w *search) places(s *set, column int, to []int32) []int32 {
	list := s.lists[column]
	before := w.table.rank(list[0])
	to = append(slices.Grow(to, len(list)+1), 0)
	for i, e := range list {
		if rank := w.table.rank(e); rank != before {
			to = append(to, int32(i))
			before = rank
		}
	}
	return append(to, int32(len(list)))
}

// weights returns the weight in front of each place, in the memory of to if need be.
func (w *search) weights(s *set, column int, places []int32, to []int64) []int64 {
	list, sum := s.lists[column], int64(0)
	to = slices.Grow(to, len(places))
	if w.plain {
		for _, p := range places {
			to = append(to, int64(p))
		}
		return to
	}
	to = append(to, 0)
	for p := 1; p < len(places); p++ {
		for _, e := range list[places[p-1]:places[p]] {
			sum += w.weightOf(s, e)
		}
		to = append(to, sum)
	}
	return to
}

// What bounds the stumps on the sides of a place.
//
// Let C_a(u) be the weight of class a in the bins up to u of a column, N_a in all. A stump that
// says a on the left and b on the right, with its threshold within bin u, gets right
//
//	C_a(u−1) + (N_b − C_b(u)) + (of bin u, at most its weight of a and its weight of b)
//	≤ C_a(u) + N_b − C_b(u−1).
//
// Where the bin has one block the threshold is at its end, and it gets C_a(u) + N_b − C_b(u)
// right. A pair of classes of no more weight together than the heaviest class and what a leaf costs
// is none better than a leaf.
//
// So each column has a bound for each pair of classes, and of a column only the pairs are walked whose
// bounds are above what is known (refine.go): in most sets a few of them.

// bounds returns lower bounds of both sides as stumps or leaves at the place of the sweep.
func (t *twoLevel) bounds() (left, right int64) {
	l, r := &t.sides[0], &t.sides[1]
	l.weight, l.most, r.most = 0, 0, 0
	for c, x := range t.counts {
		l.weight += x
		l.most, r.most = max(l.most, x), max(r.most, t.of.classes[c]-x)
	}
	r.weight = t.of.weight - l.weight
	inLeft, inRight := l.most, r.most
	t.pairs = t.pairs[:0]
	pays := t.Price / t.Unit // a leaf more has to get this right
	for a := 1; a < len(t.counts); a++ {
		for b := range a {
			leftPair, rightPair := t.counts[a]+t.counts[b], t.of.classes[a]+t.of.classes[b]-t.counts[a]-t.counts[b]
			if leftPair > l.most+pays || rightPair > r.most+pays {
				x, y := t.boundPair(a, b)
				inLeft, inRight = max(inLeft, x), max(inRight, y)
			}
		}
	}
	return t.valueOf(l, inLeft), t.valueOf(r, inRight)
}

// valueOf returns the value of a side of which a stump gets so much right, or which is a leaf.
func (t *twoLevel) valueOf(x *side, right int64) int64 {
	return min(t.One(x.weight-x.most), t.Two(x.weight-right))
}

// begun puts all items on the right.
func (t *twoLevel) begun() {
	t.moved = 0
	clear(t.counts)
	t.clear()
}

// Bounds of the places between two.
//
// Let L(p) and R(p) be the values of the best trees of the sides of place p, and w(p, q) the
// weight between two places. A set within another has no larger value: the tree of the larger
// one, less the leaves that become empty, serves. And the tree of the smaller one errs on the
// larger one by the weight between them more at most, at a price of unit each. So for
// a < p < b
//
//	L(p) ≥ max(L(a), L(b) − unit·w(p, b)),   R(p) ≥ max(R(b), R(a) − unit·w(a, p)).
//
// The sum of both is at least
//
//	L(a) + R(b),   L(b) + R(a) − unit·w(a, b),
//	L(a) + R(a) − unit·w(a, p),   L(b) + R(b) − unit·w(p, b),
//
// of which the first two hold for the whole interval, and the others leave a shorter one open.
// Lower bounds of the values do as well.

// boundBetween returns a lower bound of all places between two with so much weight between.
func boundBetween(weight int64, a, b end, unit int64) int64 {
	return max(a.left+b.right, b.left+a.right-unit*weight)
}

// openPlaces returns the first and the last place between two whose bounds are below budget.
// There is none if first > last.
func openPlaces[W weight](weights []W, a, b end, budget, unit int64) (first, last int) {
	first, last = a.place+1, b.place-1
	if over := a.left + a.right - budget; over >= 0 {
		skip := int64(weights[a.place]) + over/unit
		first += sort.Search(b.place-first, func(i int) bool { return int64(weights[first+i]) > skip })
	}
	if over := b.left + b.right - budget; over >= 0 {
		skip := int64(weights[b.place]) - over/unit
		last = a.place + sort.Search(b.place-a.place-1, func(i int) bool { return int64(weights[a.place+1+i]) >= skip })
	}
	return first, last
}

// at returns what the ends of an interval say of a place within.
func at(weights []int64, place int, a, b end, unit int64) end {
	return end{
		place: place,
		left:  max(a.left, b.left-unit*(weights[b.place]-weights[place])),
		right: max(b.right, a.right-unit*(weights[place]-weights[a.place])),
	}
}
