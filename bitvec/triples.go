package bitvec

import (
	"math"
	"slices"
)

// tripleMost is how many features may live where triples are counted, and mostTriples bounds the work, in words of a block for
// each two features: less than a millisecond.
const tripleMost, mostTriples = 64, 1 << 18

// tripleList has gains by class and feature.
type tripleList [2][tripleMost]uint16

// tripleTask is what the kernel of triples works on. It knows the layout.
type tripleTask struct {
	f, g           *uint64 // the packed columns of f and of the first g
	columns        *uint64
	stride         int // bytes of a block of columns
	words          [2]uint64
	weights        *int64
	lanes          int         // bytes of a list that have features, whole registers
	mine, row, to  *tripleList // what all have in common with f and with the first g; where to write it with f and g
	placeF, placeG int         // bytes before f and before the first g in a list
	end            int         // bytes before the g behind the last
	totals         [2]uint16
	result         [6]uint16             // least of f
	_              [4][tripleMost]uint16 // by cell and g, what its best tree of two leaves costs
	_              [4][16]uint16         // by cell, what it costs as a leaf
	least          [4][tripleMost]uint16 // costs of three and four leaves with g, then without
	sums           tripleList            // of features

	lists []tripleList // what every two features have in common, then room
}

// Triples counts, after Pairs, what Three returns. It cannot do so for numbers beyond 16 bits, for more than two
// classes, or without its kernel.
//
// A tree of up to four leaves on a side of f has another split g at the most, and h in the parts of that. What f, g and h have in
// common gives all eight cells of the three, with what every two have. For f < g the kernel tries every h, for the
// least that each of the four cells of f and g costs as a leaf or two. Two cells make a side of f, and two a side of g.
func (c *SplitCount) Triples() bool {
	t, n, size, blocks := &c.triples, len(c.Live), len(c.weights)*Lanes, (len(c.Live)+Lanes-1)/Lanes
	if c.splits.classes > 2 || c.splits.heaviest > math.MaxInt8 || max(c.totals[0], c.totals[1]) > math.MaxInt16 ||
		n < 2 || n > tripleMost || n*n*blocks*len(c.weights) > mostTriples || active != avx2 && active != avx512 {
		return false
	}
	t.lists = slices.Grow(t.lists[:0], n+1)[:n+1]
	clear(c.columns[blocks*size : (blocks+1)*size]) // the second half of the last register: features without points
	t.columns, t.stride, t.weights, t.words, t.lanes = &c.columns[0], 8*size, &c.weights[0], [2]uint64(c.words), (blocks+1)/2*32
	for class := range t.sums {
		t.totals[class] = uint16(c.totals[class])
		clear(t.sums[class][:t.lanes/2])
		for i, x := range c.sums[class*blocks*Lanes:][:blocks*Lanes] {
			t.sums[class][i] = uint16(x)
		}
	}
	for f := range n { // all else that this writes is of no use
		c.meet(f, f, f+1, &t.lists[f])
	}
	for i := range t.least {
		for j := range t.lanes / 2 {
			t.least[i][j] = math.MaxInt16
		}
	}
	for f := range n - 1 {
		c.meet(f, f+1, n, &t.lists[n])
		for i := range t.least {
			t.least[i][f] = min(t.least[i][f], t.result[i])
		}
	}
	return true
}

// meet has f meet the features from g to end, and all others both.
func (c *SplitCount) meet(f, g, end int, to *tripleList) {
	t, size := &c.triples, len(c.weights)*Lanes
	t.f, t.g = &c.columns[f/Lanes*size+f%Lanes], &c.columns[g/Lanes*size+g%Lanes]
	t.mine, t.row, t.to, t.placeF, t.placeG, t.end = &t.lists[f], &t.lists[g], to, 2*f, 2*g, 2*end
	triplesAVX2(t)
}

// Three returns the least costs of trees of three and of four leaves, whose parts are split at most once, on the sides with and
// without the i-th live feature. Some may have a leaf without points.
func (c *SplitCount) Three(i int) [2][2]int64 {
	l := &c.triples.least
	return [2][2]int64{{int64(l[0][i]), int64(l[1][i])}, {int64(l[2][i]), int64(l[3][i])}}
}
