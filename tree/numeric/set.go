package numeric

import (
	"math"
	"math/bits"
	"slices"

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
