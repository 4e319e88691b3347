package rashomon

import (
	"cmp"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// Counting trees. N(S)[cost, leaves] is the number of good trees for a set: its leaves, and for
// each split the product of N of the sides, less the pairs of leaves of one class.

// TreeCounts has the number of trees of every state, by cost and leaves.
type TreeCounts struct {
	t     *Trees
	small [][]treeRow[small]
	large [][]treeRow[large] // where a number does not fit a word
}

type treeRow[N any] struct {
	cost   int64
	leaves int32
	trees  N
}

// natural is a natural number; ok is false where it did not fit.
type natural[N any] interface {
	comparable
	plus(N) (N, bool)
	minus(N) N
	times(N) (N, bool)
	one() N
	number() *big.Int
}

type small uint64

func (a small) plus(b small) (small, bool) { return a + b, a+b >= a }
func (a small) minus(b small) small        { return a - b }
func (a small) one() small                 { return 1 }
func (a small) number() *big.Int           { return new(big.Int).SetUint64(uint64(a)) }
func (a small) times(b small) (small, bool) {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	return small(lo), hi == 0
}

type large struct{ *big.Int }

func (a large) number() *big.Int            { return a.Int }
func (a large) one() large                  { return large{big.NewInt(1)} }
func (a large) minus(b large) large         { return large{new(big.Int).Sub(a.Int, b.Int)} }
func (a large) times(b large) (large, bool) { return large{new(big.Int).Mul(a.Int, b.Int)}, true }
func (a large) plus(b large) (large, bool) {
	if a.Int == nil {
		return b, true
	}
	return large{new(big.Int).Add(a.Int, b.Int)}, true
}

// Count counts the trees.
func (t *Trees) Count() *TreeCounts {
	c := &TreeCounts{t: t}
	var ok bool
	if c.small, ok = countTrees[small](t); !ok {
		c.small = nil
		c.large, _ = countTrees[large](t)
	}
	return c
}

// order returns the states from the smallest sets to the largest.
func (t *Trees) order() []int32 {
	order, sizes := make([]int32, len(t.states)), make([]int, len(t.states))
	for i := range order {
		order[i], sizes[i] = int32(i), size(t.states[i].set)
	}
	slices.SortFunc(order, func(i, j int32) int { return cmp.Or(sizes[i]-sizes[j], int(i-j)) })
	return order
}

func countTrees[N natural[N]](t *Trees) ([][]treeRow[N], bool) {
	rows := make([][]treeRow[N], len(t.states))
	var sums []treeRow[N]
	var places index
	var unit N
	unit = unit.one()
	fits := true
	row := func(cost int64, leaves int32) *treeRow[N] {
		at, known := places.at(key{cost, int64(leaves)})
		if !known {
			sums = append(sums, treeRow[N]{cost: cost, leaves: leaves})
		}
		return &sums[at]
	}
	add := func(cost int64, leaves int32, n N) {
		r := row(cost, leaves)
		sum, ok := r.trees.plus(n)
		r.trees, fits = sum, fits && ok
	}
	for _, i := range t.order() {
		s := &t.states[i]
		places.clear()
		sums = sums[:0]
		for _, cost := range s.leaves {
			if cost <= s.room {
				add(cost, 1, unit)
			}
		}
		for _, x := range s.splits {
			with, without := &t.states[x.with], &t.states[x.without]
			for _, a := range rows[x.with] {
				for _, b := range rows[x.without] {
					if a.cost+b.cost > s.room {
						break
					}
					n, ok := a.trees.times(b.trees)
					fits = fits && ok
					add(a.cost+b.cost, a.leaves+b.leaves, n)
				}
			}
			for c, cost := range with.leaves {
				if cost += without.leaves[c]; cost <= s.room {
					r := row(cost, 2)
					r.trees = r.trees.minus(unit)
				}
			}
		}
		if !fits {
			return nil, false
		}
		rows[i] = slices.Clone(sums)
		var zero N
		rows[i] = slices.DeleteFunc(rows[i], func(r treeRow[N]) bool { return r.trees == zero || r.trees.number().Sign() == 0 })
		slices.SortFunc(rows[i], func(a, b treeRow[N]) int { return cmp.Or(cmp.Compare(a.cost, b.cost), int(a.leaves-b.leaves)) })
	}
	return rows, true
}

// Trees returns how many there are.
func (c *TreeCounts) Trees() *big.Int {
	sum := new(big.Int)
	for _, e := range c.Entries() {
		sum.Add(sum, e.Lists)
	}
	return sum
}

// Entries returns the numbers of trees in the order of objective, and then of leaves, which Entry
// calls rules.
func (c *TreeCounts) Entries() []Entry {
	if c.large != nil {
		return entriesOf(c.t, c.large)
	}
	return entriesOf(c.t, c.small)
}

func entriesOf[N natural[N]](t *Trees, rows [][]treeRow[N]) (list []Entry) {
	if len(rows) == 0 {
		return nil
	}
	for _, r := range rows[0] {
		list = append(list, Entry{r.cost + t.base, int(r.leaves), r.trees.number()})
	}
	return list
}

// Sample returns a tree at random, each as often as any other, as tree.New takes it: the index of an
// antecedent for each split, −1 − class for each leaf, and the side where the antecedent holds
// first. There must be one.
func (c *TreeCounts) Sample(rng *rand.Rand) (preorder []int, objective int64) {
	if c.large != nil {
		return sampleTree(c.t, c.large, rng)
	}
	return sampleTree(c.t, c.small, rng)
}

func sampleTree[N natural[N]](t *Trees, rows [][]treeRow[N], rng *rand.Rand) (preorder []int, objective int64) {
	sum := new(big.Int)
	for _, r := range rows[0] {
		sum.Add(sum, r.trees.number())
	}
	at := below(rng, sum)
	for _, r := range rows[0] {
		n := r.trees.number()
		if at.Cmp(n) < 0 {
			return drawTree(t, rows, rng, 0, r.cost, r.leaves, nil), r.cost + t.base
		}
		at.Sub(at, n)
	}
	panic("rashomon: a sample of no trees was asked for")
}

// drawTree appends a tree of a state with exactly this cost and so many leaves, each as often as any
// other. Two leaves of one class are drawn and thrown away.
func drawTree[N natural[N]](t *Trees, rows [][]treeRow[N], rng *rand.Rand, state int32, cost int64, leaves int32, preorder []int) []int {
	type way struct {
		upTo *big.Int
		x    split
		a, b treeRow[N]
		leaf int
	}
	s := &t.states[state]
	sum := new(big.Int)
	var ways []way
	for c, x := range s.leaves {
		if leaves == 1 && x == cost {
			sum.Add(sum, big.NewInt(1))
			ways = append(ways, way{upTo: new(big.Int).Set(sum), leaf: c})
		}
	}
	for _, x := range s.splits {
		for _, a := range rows[x.with] {
			for _, b := range rows[x.without] {
				if a.cost+b.cost == cost && a.leaves+b.leaves == leaves {
					sum.Add(sum, new(big.Int).Mul(a.trees.number(), b.trees.number()))
					ways = append(ways, way{new(big.Int).Set(sum), x, a, b, -1})
				}
			}
		}
	}
	for {
		at := below(rng, sum)
		w := ways[slices.IndexFunc(ways, func(w way) bool { return at.Cmp(w.upTo) < 0 })]
		if w.leaf >= 0 {
			return append(preorder, -1-w.leaf)
		}
		begin := len(preorder)
		tree := drawTree(t, rows, rng, w.x.with, w.a.cost, w.a.leaves, append(preorder, int(w.x.column)))
		middle := len(tree)
		tree = drawTree(t, rows, rng, w.x.without, w.b.cost, w.b.leaves, tree)
		if len(tree) == begin+3 && tree[begin+1] == tree[middle] {
			continue
		}
		return tree
	}
}
