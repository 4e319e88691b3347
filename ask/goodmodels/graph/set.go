package graph

import (
	"math/bits"
	"slices"
)

// Set is all good models of a problem: an AND/OR graph. A state is a set of points; a model ends
// there by predicting one class for all of them, or splits them by a column. Then it has a model of the points
// with the column, and one of those without: a pair. A list is a tree of which the first of a pair
// always ends: its rule. So lists and trees have all in common but how their states are found.
//
// Two ends of one class side by side are no model, as one end does the same. They are never the least, so
// values and rooms may count them.
//
// A state's value is the least cost of a model there, and its room the most that a part of a good model may
// cost there: that of all points is the threshold, and a split gives each side the room of the
// state less the value of the other side. A Set never changes, and may be asked by several goroutines.
type Set struct {
	lists       bool // the first of a pair ends
	price       int64
	threshold   int64 // beyond base
	base        int64 // what every model loses
	classes     int
	numbers     int // of points
	point       []int32
	antecedents [][]int // of each column
	states      []state // every split leads to later ones

	Complete bool // no limit made the threshold smaller than the one asked for
}

// state is a set of points.
type state struct {
	set         []uint64
	ends        []int64 // by class, what predicting it for all costs
	room, value int64
	further     int64   // the least of a model that splits
	splits      []split // by antecedent
}

// split is a pair of states; of a list there is only the one without.
type split struct{ column, with, without int32 }

// rule stands for the first of a pair that always ends.
const rule = -1

// captured appends what ending costs on the first side of a split, by class.
func (s *Set) captured(to []int64, of *state, x split) []int64 {
	if x.with != rule {
		return append(to, s.states[x.with].ends...)
	}
	for c, cost := range of.ends {
		to = append(to, s.price+cost-s.states[x.without].ends[c])
	}
	return to
}

// rename gives the states that splits lead to other numbers.
func rename(splits []split, name []int32) {
	for i := range splits {
		x := &splits[i]
		if x.without = name[x.without]; x.with != rule {
			x.with = name[x.with]
		}
	}
}

// settle finds values and rooms from states in the order of size, the largest first. It leaves out splits that
// no good model has, and states that none leads to. The splits are changed in place.
func (s *Set) settle() {
	if len(s.states) == 0 {
		return
	}
	var ends []int64
	pair := func(of *state, x split) (both, apart int64) { // the least at all, and of those that are a model
		without := &s.states[x.without]
		ends = s.captured(ends[:0], of, x)
		with, more := slices.Min(ends), int64(none)
		if x.with != rule {
			more = s.states[x.with].further
			with = min(with, more)
		}
		apart = min(more+without.value, with+without.further, differ(ends, without.ends))
		return with + without.value, apart
	}
	for i := range slices.Backward(s.states) {
		of := &s.states[i]
		of.further = none
		for _, x := range of.splits {
			_, apart := pair(of, x)
			of.further = min(of.further, apart)
		}
		of.value, of.room = min(slices.Min(of.ends), of.further), -1
	}
	if s.states[0].value > s.threshold {
		s.states = nil
		return
	}
	s.states[0].room = s.threshold
	name, kept := make([]int32, len(s.states)), s.states[:0:0]
	for i := range s.states {
		of := &s.states[i]
		if of.room < 0 {
			continue
		}
		name[i] = int32(len(kept))
		of.splits = slices.DeleteFunc(of.splits, func(x split) bool {
			_, apart := pair(of, x)
			return apart > of.room
		})
		slices.SortFunc(of.splits, func(x, y split) int { return s.antecedents[x.column][0] - s.antecedents[y.column][0] })
		for _, x := range of.splits {
			both, _ := pair(of, x)
			without := &s.states[x.without]
			without.room = max(without.room, of.room-both+without.value)
			if x.with != rule {
				with := &s.states[x.with]
				with.room = max(with.room, of.room-without.value)
			}
		}
		kept = append(kept, *of)
	}
	for i := range kept {
		rename(kept[i].splits, name)
	}
	s.states = kept
}

// differ returns the least sum of two numbers at different places.
func differ(a, b []int64) int64 {
	least, second, at := int64(none), int64(none), -1 // of b
	for i, x := range b {
		if x < least {
			least, second, at = x, least, i
		} else {
			second = min(second, x)
		}
	}
	sum := int64(none)
	for i, x := range a {
		if i == at {
			sum = min(sum, x+second)
		} else {
			sum = min(sum, x+least)
		}
	}
	return sum
}

// size is how many points a set has.
func size(set []uint64) (n int) {
	for _, w := range set {
		n += bits.OnesCount64(w)
	}
	return n
}

// Only returns the models of which all antecedents are allowed.
func (s *Set) Only(allowed func(antecedent int) bool) *Set {
	out := *s
	out.antecedents = make([][]int, len(s.antecedents))
	for c, all := range s.antecedents {
		out.antecedents[c] = slices.DeleteFunc(slices.Clone(all), func(a int) bool { return !allowed(a) })
	}
	out.states = slices.Clone(s.states)
	for i := range out.states {
		of := &out.states[i]
		of.splits = slices.DeleteFunc(slices.Clone(of.splits), func(x split) bool { return len(out.antecedents[x.column]) == 0 })
	}
	out.settle()
	return &out
}

// States returns the number of sets of points in the graph.
func (s *Set) States() int { return len(s.states) }

// Threshold returns the largest objective of a model.
func (s *Set) Threshold() int64 { return s.threshold + s.base }

// Least returns the least objective of a model, and false if there is none.
func (s *Set) Least() (int64, bool) {
	if len(s.states) == 0 {
		return 0, false
	}
	return s.states[0].value + s.base, true
}

// Flips returns, by class and point, the least objective of a model that predicts the class there, and
// −1 where no good model does.
//
// The room of a state is the threshold less the least cost of the rest of a model. So the least
// model that ends there by a class costs the threshold less the room, and the end.
func (s *Set) Flips() [][]int64 {
	var least [][]int64
	for range s.classes {
		least = append(least, slices.Repeat([]int64{-1}, s.numbers))
	}
	offer := func(class int, set, without []uint64, objective int64) {
		for w, x := range set {
			if without != nil {
				x &^= without[w]
			}
			for ; x != 0; x &= x - 1 {
				if at := &least[class][s.point[64*w+bits.TrailingZeros64(x)]]; *at < 0 || objective < *at {
					*at = objective
				}
			}
		}
	}
	var ends []int64
	for i := range s.states {
		of := &s.states[i]
		rest := s.base + s.threshold - of.room
		for c, cost := range of.ends {
			if cost <= of.room {
				offer(c, of.set, nil, rest+cost)
			}
		}
		for _, x := range of.splits {
			if x.with != rule {
				continue
			}
			without := &s.states[x.without]
			ends = s.captured(ends[:0], of, x)
			for c, cost := range ends {
				if cost += without.value; cost <= of.room {
					offer(c, of.set, without.set, rest+cost)
				}
			}
		}
	}
	return least
}

// addUp returns the sum of values over the points of a set.
func (s *Set) addUp(value []int64, set []uint64) (sum int64) {
	if value == nil {
		return 0
	}
	for w, x := range set {
		for ; x != 0; x &= x - 1 {
			sum += value[s.point[64*w+bits.TrailingZeros64(x)]]
		}
	}
	return sum
}
