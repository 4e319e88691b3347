package bitvec

import (
	"math"
	"slices"
)

// tripleMost is how many features may live where triples are counted, and mostTriples bounds the work, in words of a block for
// each two features: less than seven milliseconds. Where not all are needed, fewLive and fewTriples bound them.
const tripleMost, mostTriples = 128, 1 << 24
const fewLive, fewTriples = 64, 1 << 18

// tripleList has a number for each feature, and again for the first ones, behind the last.
type tripleList [2 * tripleMost]uint16

// tripleTask is what the kernels of triples work on. They know the layout.
type tripleTask struct {
	rows    *uint64 // word by word, the packed columns of all features and again of the first
	stride  int     // bytes of a row
	words   [2]uint64
	weights *int64
	lanes   int     // bytes of a list that have features, whole registers
	fours   int     // of features
	y, z    int     // bytes of a list from feature x to y, and to z
	to      *uint16 // nil, or where to write what x and y have in common
	list    int     // bytes of a list
	all     int     // bytes of a list from one feature to its second place
	xy      *uint16 // lists of features x and y
	yz, xz  tripleLists
	totals  [2]uint16
	sums    [2]tripleList          // of features
	least   [4 * tripleMost]uint16 // costs of three and four leaves with a feature, then without

	columns []uint64
	lists   []uint16
}

// tripleLists are lists of two features: what they have in common, by class, and what each of the four cells that they make costs
// as the best tree of two leaves: both, the first alone, the second alone, neither.
type tripleLists struct{ common, first, second *uint16 }

// Triples counts, after Pairs, what Three returns, if that pays for all features or else for some. It cannot do so for
// numbers beyond 16 bits, for more than two classes, or without its kernel.
//
// A tree of up to four leaves on a side of f has another split g at the most, and h in the parts of that. All eight cells
// of three features follow from the points that all three have in common, and from those that every two have. So does the
// least that each cell of two of them costs as two leaves, split by the third. Two cells make a side of f, and two a side of g.
//
// Features stand in a circle, and each three of them have three gaps. The kernel counts all that have the same gaps at
// once. The first gap is the smallest, or one of them, and the third no other such: so no three are counted twice, except
// those with equal gaps. Lists of two features begin with the one that the other is at most half of the circle behind.
func (c *SplitCount) Triples(all bool) bool {
	t, n, size, blocks := &c.triples, len(c.Live), len(c.weights)*Lanes, (len(c.Live)+Lanes-1)/Lanes
	work := n * n * blocks * len(c.weights)
	if c.splits.classes > 2 || c.splits.heaviest > math.MaxInt8 || max(c.totals[0], c.totals[1]) > math.MaxInt16 ||
		n < 2 || n > tripleMost || work > mostTriples || !all && (n > fewLive || work > fewTriples) || active != avx2 && active != avx512 {
		return false
	}
	row, list := 2*n+4, (n+15)/16*16+n
	t.columns = slices.Grow(t.columns[:0], row*len(c.weights))[:row*len(c.weights)]
	for w := range c.weights {
		to := t.columns[w*row:][:row]
		for b := range blocks {
			copy(to[b*Lanes:], c.columns[b*size+w*Lanes:][:Lanes])
		}
		repeat(to, n)
	}
	t.rows, t.stride, t.weights, t.words = &t.columns[0], 8*row, &c.weights[0], [2]uint64(c.words)
	t.lanes, t.fours, t.list, t.all = 2*(list-n), (n+3)/4, 2*list, 2*n
	for class := range t.sums {
		t.totals[class] = uint16(c.totals[class])
		for i, x := range c.sums[class*blocks*Lanes:][:n] {
			t.sums[class][i] = uint16(x)
		}
		repeat(t.sums[class][:list], n)
	}
	t.lists = slices.Grow(t.lists[:0], n/2*6*list)[:n/2*6*list]
	t.lists[0] = math.MaxInt16
	repeat(t.lists, 1)
	for d := 1; d <= n/2; d++ {
		common := t.lists[(d-1)*6*list:]
		t.to, t.y, t.z = &common[0], 2*d, 2*d
		triplesAVX2(t)
		repeat(common[:list], n)
		repeat(common[list:2*list], n)
	}
	t.to = nil
	for a := 1; 3*a <= n; a++ {
		for b := a; n-a-b > a || 3*a == n && b == a; b++ {
			t.y, t.z = 2*a, 2*(a+b)
			t.xy, t.yz, t.xz = t.listsOf(n, 0, a).common, t.listsOf(n, a, b), t.listsOf(n, 0, a+b)
			triplesAVX2(t)
		}
	}
	t.least[0] = math.MaxInt16
	repeat(t.least[:], 1)
	for d := 1; d < n; d++ {
		t.y, t.xz, t.yz = 2*d, t.listsOf(n, 0, d), t.listsOf(n, d, n-d) // of the same two, the second first
		sidesAVX2(t)
	}
	return true
}

// listsOf returns the lists of a feature and the one so far behind it, from the place of the first on.
func (t *tripleTask) listsOf(n, at, gap int) tripleLists {
	first, second := 3, 4
	if gap > n/2 {
		at, gap, first, second = (at+gap)%n, n-gap, 4, 3
	}
	of := t.lists[(gap-1)*3*t.list:]
	return tripleLists{&of[at], &of[first*t.list/2+at], &of[second*t.list/2+at]}
}

// repeat has the first n numbers of a list follow again and again.
func repeat[T any](list []T, n int) {
	for ; n < len(list); n *= 2 {
		copy(list[n:], list[:n])
	}
}

// Three returns the least costs of trees of three and of four leaves, whose parts are split at most once, on the sides with and
// without the i-th live feature. Some may have a leaf without points.
func (c *SplitCount) Three(i int) [2][2]int64 {
	l := c.triples.least[i:]
	return [2][2]int64{{int64(l[0]), int64(l[tripleMost])}, {int64(l[2*tripleMost]), int64(l[3*tripleMost])}}
}
