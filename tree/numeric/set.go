package numeric

// set is some items, listed in the order of each column, with their weight by class.
type set struct {
	lists   [][]int32
	classes []int64 // weight by class
	weight  int64
	best    choice // of the last solve, where that was exact
}

// size returns the number of items.
func (s *set) size() int {
	if len(s.lists) == 0 {
		return 0
	}
	return len(s.lists[0])
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
	memory      []int32
	left, right set
}

// split lists both sides of a set, of which the first place items in the order of column are the
// left one.
func (w *worker[W]) split(s *set, column, place int, to *sides) {
	n := s.size()
	if need := len(s.lists) * n; cap(to.memory) < need {
		to.memory = make([]int32, need)
	}
	for side, x := range []*set{&to.left, &to.right} {
		x.classes = append(x.classes[:0], make([]int64, w.table.Classes)...)
		items := s.lists[column][:place]
		if side == 1 {
			items = s.lists[column][place:]
		}
		mark := uint8(1 - side)
		x.weight = 0
		for _, i := range items {
			w.onLeft[i] = mark
			x.classes[w.table.class[i]] += int64(w.weight[i])
			x.weight += int64(w.weight[i])
		}
		x.lists = x.lists[:0]
	}
	for h, list := range s.lists {
		out := to.memory[h*n : h*n+n]
		left, right := 0, place
		for _, i := range list {
			is := -int(w.onLeft[i]) // all bits on the left
			out[right^(left^right)&is] = i
			left -= is
			right += 1 + is
		}
		to.left.lists = append(to.left.lists, out[:place:place])
		to.right.lists = append(to.right.lists, out[place:n:n])
	}
}

// leafValue returns the value of a set as one leaf, and its class.
func (w *search[W]) leafValue(s *set) (value int64, class int) {
	for c, x := range s.classes {
		if x > s.classes[class] {
			class = c
		}
	}
	return w.One(s.weight - s.classes[class]), class
}

// places appends where a column parts a set: the numbers of items in front of each place, from
// 0 to all. Equal ranks are not parted.
func (w *search[W]) places(s *set, column int, to []int32) []int32 {
	keys, list := w.table.keys[column], s.lists[column]
	before := keys[list[0]] >> w.table.bits
	to = append(to, 0)
	for i, item := range list {
		if rank := keys[item] >> w.table.bits; rank != before {
			to = append(to, int32(i))
			before = rank
		}
	}
	return append(to, int32(len(list)))
}

// weights appends the weight in front of each place.
func (w *search[W]) weights(s *set, column int, places []int32, to []int64) []int64 {
	list, sum := s.lists[column], int64(0)
	to = append(to, 0)
	if w.table.sum == int64(len(w.table.class)) { // each weighs 1
		for _, p := range places[1:] {
			to = append(to, int64(p))
		}
		return to
	}
	for p := 1; p < len(places); p++ {
		for _, i := range list[places[p-1]:places[p]] {
			sum += int64(w.weight[i])
		}
		to = append(to, sum)
	}
	return to
}
