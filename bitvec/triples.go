package bitvec

import (
	"math"
	"slices"
)

// tripleTask is what the kernel of triples works on. It knows the layout. Lists are by feature, and by class of gains.
type tripleTask struct {
	f, g           *uint64 // the packed columns of f and of the first g
	columns        *uint64
	stride         int // bytes of a block of columns
	words          [2]uint64
	weights        *int64
	vectors        int         // bytes of lists that have features
	mine, row, to  *tripleList // what f and all have in common, and the first g; where to write what f, g and all have
	placeF, placeG int         // bytes before f and the first g in a list
	end            int         // behind the last g
	totals         [2]uint16
	result         [6]uint16 // the least costs of trees of three and four leaves with f, then without
	two            [4]tripleSide
	own            [4][16]uint16
	least          [4]tripleSide // the same for each g
	sums           tripleList
	_              [apart]byte

	lists []tripleList // by feature
}

const tripleMost = 64 // features

type (
	tripleSide [tripleMost]uint16
	tripleList [2]tripleSide
)

// Triples counts, after Pairs, the least costs of trees of three and of four leaves that split both sides of each live feature.
func (c *SplitCount) Triples() bool {
	t, n, size, blocks := &c.triples, len(c.Live), len(c.weights)*Lanes, (len(c.Live)+Lanes-1)/Lanes
	if c.splits.classes > 2 || c.splits.heaviest > math.MaxInt8 || max(c.totals[0], c.totals[1]) > math.MaxInt16 ||
		n < 2 || n > tripleMost || n*n*blocks*len(c.weights) > mostTriples || active != avx2 && active != avx512 {
		return false
	}
	t.lists = slices.Grow(t.lists[:0], n+1)[:n+1]
	clear(c.columns[blocks*size : (blocks+1)*size]) // a block without points
	t.columns, t.stride, t.weights, t.words, t.vectors = &c.columns[0], 8*size, &c.weights[0], [2]uint64(c.words), (blocks+1)/2*32
	t.sums = tripleList{}
	for class := range t.sums {
		t.totals[class] = uint16(c.totals[class])
		for i, x := range c.sums[class*blocks*Lanes:][:blocks*Lanes] {
			t.sums[class][i] = uint16(x)
		}
	}
	for f := range n {
		c.meet(f, f, f+1, &t.lists[f])
	}
	for i := range t.least {
		for j := range t.vectors / 2 {
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

// meet has f meet the features from g to end and all others.
func (c *SplitCount) meet(f, g, end int, to *tripleList) {
	t, size := &c.triples, len(c.weights)*Lanes
	t.f, t.g = &c.columns[f/Lanes*size+f%Lanes], &c.columns[g/Lanes*size+g%Lanes]
	t.mine, t.row, t.to, t.placeF, t.placeG, t.end = &t.lists[f], &t.lists[g], to, 2*f, 2*g, 2*end
	triplesAVX2(t)
}

// Three returns the least costs of trees of three and four leaves with and without the i-th live feature.
func (c *SplitCount) Three(i int) [2][2]int64 {
	l := &c.triples.least
	return [2][2]int64{{int64(l[0][i]), int64(l[1][i])}, {int64(l[2][i]), int64(l[3][i])}}
}

// mostTriples bounds the work of Triples, in words of a block: less than a millisecond.
const mostTriples = 1 << 18
