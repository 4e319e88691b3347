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

// padded is the number of columns with those that fill the last block of the matrix.
func padded(m *bitvec.Matrix) int { return m.Blocks() * bitvec.Lanes }

// splits reports whether a set of points has some within a column and some outside.
func splits(set, column []uint64) bool {
	var in, out uint64
	for i, w := range set {
		in |= w & column[i]
		out |= w &^ column[i]
	}
	return in != 0 && out != 0
}

// firstPoints is the set of so many points.
func firstPoints(n, words int) []uint64 {
	set := make([]uint64, words)
	for i := range n {
		set[i/64] |= 1 << (i % 64)
	}
	return set
}

// none is a cost that no model has.
const none = math.MaxInt64 / 4
