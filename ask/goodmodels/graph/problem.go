// Package graph finds all good rule lists or trees of a problem, counts them and answers questions about all of them at once.
// Begin with [Build].
//
// A list is plain if every rule captures a sample, and the default captures a sample and has another
// label than the last rule; otherwise a shorter list does the same. A tree has any classes in its leaves, splits that
// leave samples on both sides, and no two leaves of one class below one split. Build finds every plain
// list, with any labels, or every tree, whose objective is at most a threshold: the Rashomon set (Fisher, Rudin
// and Dominici, JMLR 2019).
//
// The types to know: a [Problem] has points, antecedents and costs; a [Set] is an AND/OR graph of sets of points, whose choices
// are the models; a [Model] is one of them. A list is a tree of which one side of each split ends.
//
// # The graph
//
// What a model does with the points that a path leaves depends only on these points, and on the number of splits that may
// follow. So states are sets of distinct points, also of those where the classes weigh the same. A split of u by s leads to
// s∩u and u∖s, if both have samples. An end costs P, the price of a rule or leaf, and what its class gets wrong.
//
// Let V(u) be the least cost of a model of u. A state belongs to the graph if a path leaves it room for V. value.go has
// the arguments. Files in reading order: problem, value, count, proof, fair.
//
// # Other ways to count
//
// A list whose objective is less than a rule's price above the optimum has no idle rule.
// Deleting an idle rule changes no prediction, so the list without it would be better than
// the optimum (T6). With a larger threshold the set fills with lists that have idle rules.
// Lists that predict the same everywhere are one classifier.
package graph

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"time"

	"parcorels/bitvec"
	"parcorels/costs"
	"parcorels/instance"
	"parcorels/internal/blockfile"
	"parcorels/ratio"
)

// Problem is what rule lists and trees are made of: points, antecedents over them, what a wrong
// prediction costs at each point and what a rule or leaf costs. All costs are integers in the unit
// of objectives.
type Problem struct {
	Points  int        // points, all that some antecedent tells apart
	Columns [][]uint64 // the points that satisfy an antecedent: point p is bit p%64 of word p/64
	// Loss[c][p] is the cost of predicting class c at point p. It may be negative, as it is
	// where a constraint is priced.
	Loss  [][]int64
	Price int64 // of a rule or a leaf, above 0
	Trees bool  // the models are trees, else rule lists
	Depth int   // of trees: most splits on a path; 0: no limit
	// Ghosts is how many of the points, the last ones, are no samples: they cost nothing, and
	// a rule that captures nothing else captures nothing.
	Ghosts int
}

// Options limit a build. The zero value has no limits and takes all cores.
type Options struct {
	Workers  int
	States   int            // the most states; 0: no limit
	Memory   int64          // bytes of states and memo; 0: no limit
	Time     time.Duration  // 0: no limit
	Proof    *Proof         // where a proof that none is missing goes; nil: none is written
	Progress func(Progress) // called from one goroutine; nil: never
	Every    time.Duration  // between two calls of Progress; 0: a second
}

// Progress is a look at a build.
type Progress struct {
	Elapsed time.Duration
	States  int   // of the graph so far
	Open    int   // of these, not expanded
	Nodes   int64 // sets that had to be bounded by counting
}

// Proof says where a proof is written, and what it is about.
type Proof struct {
	*blockfile.Proof
	Lambda ratio.Ratio
	Weight int64 // of all samples
}

// mostObjective bounds all objectives, so that a bound fits a word of the memo.
const mostObjective = 1 << 59

// ErrScale reports costs that are too large to be added up.
var ErrScale = errors.New("the weights and λ have too many digits to be added up exactly: scale the weights down or give fewer digits")

// ErrLimit reports that a limit did not allow even the models that are as good as the optimum.
var ErrLimit = errors.New("a limit on time, memory or states does not allow even all models as good as the optimum: allow more, or a " +
	"larger λ")

// MostClasses is how many classes lists may have: the labels of an edge are bits of a number.
const MostClasses = 62

// FromPoints returns the problem of models that minimise errors/total + λ·rules or leaves. Objectives are
// in units of 1/(λ.Den·total), as those of rulelist/search: λ.Den·errors + λ.Num·total·rules.
func FromPoints(p *instance.Points, lambda ratio.Ratio) (*Problem, error) {
	hi, total := bits.Mul64(uint64(p.Total), uint64(max(lambda.Num, lambda.Den)))
	if hi != 0 || total > mostObjective {
		return nil, ErrScale
	}
	out := &Problem{Points: p.Count, Columns: p.Columns, Price: lambda.Num * p.Total}
	for c := range p.Classes {
		loss := make([]int64, p.Count)
		for other, weights := range p.Weights {
			for i := range loss {
				if other != c {
					loss[i] += lambda.Den * weights[i]
				}
			}
		}
		out.Loss = append(out.Loss, loss)
	}
	return out, nil
}

// layout is a problem in the layout of the kernels. The label of a point is the class that costs
// least there. A set of points has words of each label, the last one first and the heaviest cost first, words of the
// points that cost nothing, and words of ghosts. The first costWords of them are all that costs
// depend on, and the first realWords decide whether a rule captures a sample.
//
// The gain of a class at a point is the largest cost there less its own (package costs).
type layout struct {
	*Problem
	classes int
	place   []int32 // of each point, its bit position
	point   []int32 // by bit position, the point; −1 for padding

	words, realWords, costWords int

	columns     [][]uint64    // the distinct ones, live ones first
	outside     [2][][]uint64 // what is without and with each of them: their complements, of trees, and themselves
	antecedents [][]int       // of each of them, ascending
	live        int           // how many columns a least model may use: of a list, those that gain more than a rule costs
	liveBlocks  int
	all         []uint64
	table       *costs.Table // of the points below costWords, in units
	unit        int64
	base        int64 // what every model loses, for lists less Price, as a default costs as much here
	matrix      *bitvec.Matrix
}

func newLayout(p *Problem) (*layout, error) {
	l := &layout{Problem: p, classes: len(p.Loss)}
	if p.Price <= 0 {
		return nil, fmt.Errorf("the price of a rule is %d: expected a positive number", p.Price)
	}
	if l.classes < 2 || !p.Trees && l.classes > MostClasses {
		return nil, fmt.Errorf("%d classes: expected 2 to %d", l.classes, MostClasses)
	}
	if err := l.sum(); err != nil {
		return nil, err
	}
	l.order()
	l.mergeColumns()
	l.liveFirst()
	l.matrix = bitvec.NewMatrix(len(l.columns), l.costWords)
	for i, c := range l.columns {
		l.matrix.Set(i, c[:l.costWords])
	}
	return l, nil
}

// sum finds base and unit.
func (l *layout) sum() error {
	total := l.Price
	for p := range l.Points {
		_, low, high := l.label(p)
		if low < -mostObjective || high > mostObjective {
			return ErrScale
		}
		l.base += low
		for _, loss := range l.Loss {
			l.unit = ratio.GCD(l.unit, high-loss[p])
			if total += high - loss[p]; total > mostObjective {
				return ErrScale
			}
		}
		if l.base > mostObjective || l.base < -mostObjective {
			return ErrScale
		}
	}
	if l.unit = max(l.unit, 1); !l.Trees {
		l.base -= l.Price
	}
	return nil
}

// label returns the first class that costs least at a point, what it costs there, and the most that
// a class does.
func (p *Problem) label(at int) (class int, low, high int64) {
	low, high = p.Loss[0][at], p.Loss[0][at]
	for c, loss := range p.Loss {
		if high = max(high, loss[at]); loss[at] < low {
			class, low = c, loss[at]
		}
	}
	return class, low, high
}

// order gives each point its place.
func (l *layout) order() {
	last, free, ghost := l.classes-1, l.classes, l.classes+1
	of := make([][]int32, l.classes+2) // from the last label on, then those that cost nothing, then ghosts
	cost := make([]int64, l.Points)
	for p := range l.Points {
		class, low, high := l.label(p)
		at := last - class
		switch cost[p] = high - low; {
		case p >= l.Points-l.Ghosts:
			at = ghost
		case cost[p] == 0:
			at = free
		}
		of[at] = append(of[at], int32(p))
	}
	l.place = make([]int32, l.Points)
	var labels []uint16
	for at, points := range of {
		slices.SortStableFunc(points, func(a, b int32) int { return cmp.Compare(cost[b], cost[a]) })
		for i, p := range points {
			l.place[p] = int32(64*l.words + i)
		}
		words := (len(points) + 63) / 64
		l.words += words
		switch at {
		case ghost:
		case free:
			l.realWords = l.words
		default:
			labels = append(labels, slices.Repeat([]uint16{uint16(last - at)}, words)...)
			l.costWords = l.words
		}
	}
	l.point = slices.Repeat([]int32{-1}, 64*l.words)
	units := make([]int64, 64*l.costWords)
	l.all = make([]uint64, l.words)
	for p, at := range l.place {
		l.point[at] = int32(p)
		l.all[at/64] |= 1 << (at % 64)
		if int(at) < len(units) {
			units[at] = cost[p] / l.unit
		}
	}
	l.table = costs.New(units, labels, l.gains(len(units)))
}

// gains returns what each class gains at the first places, nil of two classes.
func (l *layout) gains(places int) (gains [][]int64) {
	if l.classes == 2 {
		return nil
	}
	for _, loss := range l.Loss {
		gain := make([]int64, places)
		for at := range gain {
			if p := l.point[at]; p >= 0 {
				_, _, high := l.label(int(p))
				gain[at] = (high - loss[p]) / l.unit
			}
		}
		gains = append(gains, gain)
	}
	return gains
}

// mergeColumns makes one column of antecedents that hold at the same points.
func (l *layout) mergeColumns() {
	known := map[string]int{}
	hash := make([]byte, 0, 8*l.words)
	for a, old := range l.Columns {
		column := make([]uint64, l.words)
		for p, at := range l.place {
			column[at/64] |= old[p/64] >> (p % 64) & 1 << (at % 64)
		}
		hash = hash[:0]
		for _, w := range column {
			hash = binary.LittleEndian.AppendUint64(hash, w)
		}
		k, ok := known[string(hash)]
		if !ok {
			k = len(l.columns)
			known[string(hash)] = k
			l.columns = append(l.columns, column)
			l.antecedents = append(l.antecedents, nil)
		}
		l.antecedents[k] = append(l.antecedents[k], a)
	}
}

// liveFirst puts the columns that a least model may use before the others.
func (l *layout) liveFirst() {
	var order [2][]int
	gains := make([]int64, l.classes)
	for i, c := range l.columns {
		l.gain(gains, c)
		dead := 0
		if !l.Trees && l.unit*slices.Max(gains) <= l.Price {
			dead = 1
		}
		order[dead] = append(order[dead], i)
	}
	l.live = len(order[0])
	columns, antecedents := l.columns, l.antecedents
	l.columns, l.antecedents = nil, nil
	for _, i := range append(order[0], order[1]...) {
		l.columns, l.antecedents = append(l.columns, columns[i]), append(l.antecedents, antecedents[i])
	}
	l.liveBlocks, l.outside[1] = (l.live+bitvec.Lanes-1)/bitvec.Lanes, l.columns
	for _, c := range l.columns[:len(l.columns)*(l.sides()-1)] {
		out := make([]uint64, l.words)
		bitvec.AndNot(out, l.all, c)
		l.outside[0] = append(l.outside[0], out)
	}
}

// gain finds what each class gains for a set, and returns what the set costs at most, both in units.
func (l *layout) gain(to []int64, set []uint64) (most int64) {
	set = set[:l.costWords]
	return l.table.Gain(to, set, set)
}

// ends appends what ending with each class costs for a set.
func (l *layout) ends(to []int64, set []uint64) []int64 {
	n := len(to)
	to = append(to, make([]int64, l.classes)...)
	most := l.gain(to[n:], set)
	for c := range to[n:] {
		to[n+c] = l.Price + l.unit*(most-to[n+c])
	}
	return to
}

// sides is how many sides of a split are states: the first of a list ends.
func (l *layout) sides() int {
	if l.Trees {
		return 2
	}
	return 1
}

// splits reports whether a set of points has some within a column and some outside.
func splits(set, column []uint64) bool {
	var in, out uint64
	for i, w := range set {
		in |= w & column[i]
		out |= w &^ column[i]
	}
	return in != 0 && out != 0
}

// none is a cost that no model has.
const none = math.MaxInt64 / 4

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
