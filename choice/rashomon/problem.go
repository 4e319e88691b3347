package rashomon

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"parcorels/bitvec"
)

// Problem is what rule lists are made of: points, antecedents over them, what a wrong
// prediction costs at each point and what a rule costs. All costs are integers in the unit
// of objectives.
type Problem struct {
	Points  int        // points, all that some antecedent tells apart
	Columns [][]uint64 // the points that satisfy an antecedent: point p is bit p%64 of word p/64
	// Loss[c][p] is the cost of predicting class c at point p. It may be negative, as it is
	// where a constraint is priced.
	Loss  [2][]int64
	Price int64 // of a rule, above 0
	// Ghosts is how many of the points, the last ones, are no samples: they cost nothing, and
	// a rule that captures nothing else captures nothing.
	Ghosts int
}

// mostObjective bounds all objectives, so that a bound fits a word of the memo.
const mostObjective = 1 << 59

// ErrScale reports costs that are too large to be added up.
var ErrScale = errors.New("the weights and λ have too many digits to be added up exactly: scale the weights down or give fewer digits")

// layout is a problem in the layout of the kernels. A set of points has words of class 1,
// heaviest cost first, words of class 0, words of the points that cost nothing, and words of
// ghosts. The first costWords of them are all that costs depend on, and the first realWords
// decide whether a rule captures a sample.
type layout struct {
	*Problem
	place []int32 // of each point, its bit position
	point []int32 // by bit position, the point; −1 for padding

	words, realWords, costWords, words1 int

	columns     [][]uint64 // the distinct ones, live ones first
	antecedents [][]int    // of each of them, ascending
	live        int        // how many columns have a label by which they gain more than a rule costs
	all         []uint64
	planes      *bitvec.Planes
	cost        []int64 // by bit position below costWords, in units
	unit        int64
	base        int64 // what every list loses
	matrix      *bitvec.Matrix
}

func newLayout(p *Problem) (*layout, error) {
	l := &layout{Problem: p}
	if p.Price <= 0 {
		return nil, fmt.Errorf("the price of a rule is %d: expected a positive number", p.Price)
	}
	if err := l.sum(); err != nil {
		return nil, err
	}
	l.order()
	l.mergeColumns()
	l.planes = bitvec.NewPlanes(l.cost, l.words1)
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
		low, high := minmax(l.Loss[0][p], l.Loss[1][p])
		if low < -mostObjective || high > mostObjective {
			return ErrScale
		}
		l.base += low
		total += high - low
		l.unit = gcd(l.unit, high-low)
		if total > mostObjective || l.base > mostObjective || l.base < -mostObjective {
			return ErrScale
		}
	}
	l.unit = max(l.unit, 1)
	return nil
}

func minmax(a, b int64) (low, high int64) { return min(a, b), max(a, b) }

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// costOf returns the class that costs less at a point, and what the other costs more.
func (l *layout) costOf(p int) (class int, cost int64) {
	if d := l.Loss[0][p] - l.Loss[1][p]; d > 0 {
		return 1, d
	} else {
		return 0, -d
	}
}

// order gives each point its place.
func (l *layout) order() {
	const free, ghost = 2, 3
	var of [4][]int32
	for p := range l.Points {
		class, cost := l.costOf(p)
		switch {
		case p >= l.Points-l.Ghosts:
			class = ghost
		case cost == 0:
			class = free
		}
		of[class] = append(of[class], int32(p))
	}
	l.place = make([]int32, l.Points)
	for _, k := range []int{1, 0, free, ghost} {
		slices.SortStableFunc(of[k], func(a, b int32) int {
			_, x := l.costOf(int(a))
			_, y := l.costOf(int(b))
			return cmp.Compare(y, x)
		})
		for i, p := range of[k] {
			l.place[p] = int32(64*l.words + i)
		}
		l.words += (len(of[k]) + 63) / 64
		switch k {
		case 1:
			l.words1 = l.words
		case 0:
			l.costWords = l.words
		case free:
			l.realWords = l.words
		}
	}
	l.point = slices.Repeat([]int32{-1}, 64*l.words)
	l.cost = make([]int64, 64*l.costWords)
	l.all = make([]uint64, l.words)
	for p, at := range l.place {
		l.point[at] = int32(p)
		l.all[at/64] |= 1 << (at % 64)
		if int(at) < len(l.cost) {
			_, cost := l.costOf(p)
			l.cost[at] = cost / l.unit
		}
	}
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
			for i := range 8 {
				hash = append(hash, byte(w>>(8*i)))
			}
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

// liveFirst puts the columns that a least completion may use before the others.
func (l *layout) liveFirst() {
	var order [2][]int
	for i, c := range l.columns {
		g1, g0 := l.planes.Cost(c[:l.costWords])
		dead := 0
		if l.unit*max(g1, g0) <= l.Price {
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
}

// padded is the number of columns with those that fill the last block of the matrix.
func padded(m *bitvec.Matrix) int { return m.Blocks() * bitvec.Lanes }

// splits reports whether a set of points has samples within a column and outside.
func (l *layout) splits(u, column []uint64) bool {
	var in, out uint64
	for i, w := range u[:l.realWords] {
		in |= w & column[i]
		out |= w &^ column[i]
	}
	return in != 0 && out != 0
}

// none is a cost that no list has.
const none = math.MaxInt64 / 4
