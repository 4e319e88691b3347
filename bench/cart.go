package bench

import (
	"math"
	"math/bits"
	"slices"

	"parcorels/instance"
	"parcorels/ratio"
	"parcorels/tree/search"
)

// CART beside optimal trees: the greedy method of Breiman, Friedman, Olshen and
// Stone (1984), grown best first as scikit-learn grows it for max_leaf_nodes. The
// leaf whose best split lowers the Gini impurity most is split next, until no
// leaf holds two classes that a feature tells apart. Of splits that lower it
// equally the one with the smallest feature is taken.

// greedy is the Beside of a case that has CART beside it.
const greedy = "CART"

// The measures of CART: the accuracy with as many leaves as the optimal tree has,
// and the smallest objective that any of its sizes has.
const (
	greedySame = "CART accuracy"
	greedyBest = "CART objective"
)

// besideGreedy adds what CART has on the same points.
func (o *Outcome) besideGreedy(p *instance.Points, lambda ratio.Ratio, r *search.Result) {
	errors := cart(p, max(r.Leaves, mostGreedyLeaves))
	same := errors[min(r.Leaves, len(errors))-1]
	best := Measure{Name: greedyBest, Value: math.Inf(1), Unit: "objective"}
	for i, e := range errors {
		if v := float64(e)/float64(p.Total) + lambda.Float()*float64(i+1); v < best.Value {
			best.Value, best.Size = v, i+1
		}
	}
	o.Measures = append(o.Measures, Measure{Name: greedySame, Size: r.Leaves, Value: 1 - float64(same)/float64(p.Total), Unit: "share"}, best)
}

// mostGreedyLeaves is more than a tree has that pays for its leaves.
const mostGreedyLeaves = 100

// cartLeaf is a leaf with its best split.
type cartLeaf struct {
	set     []uint64
	errors  int64
	gain    float64
	feature int // −1: none
}

// cart returns the errors of its trees of one leaf, two, … up to most.
func cart(p *instance.Points, most int) (errors []int64) {
	all := make([]uint64, (p.Count+63)/64)
	for i := range p.Count {
		all[i/64] |= 1 << (i % 64)
	}
	leaves := []cartLeaf{newCartLeaf(p, all)}
	sum := leaves[0].errors
	for errors = append(errors, sum); len(errors) < most; errors = append(errors, sum) {
		at := 0
		for i, l := range leaves {
			if l.feature >= 0 && (leaves[at].feature < 0 || l.gain > leaves[at].gain) {
				at = i
			}
		}
		split := leaves[at]
		if split.feature < 0 {
			break
		}
		with, without := slices.Clone(split.set), slices.Clone(split.set)
		for w, x := range p.Columns[split.feature][:len(with)] {
			with[w] &= x
			without[w] &^= x
		}
		leaves[at] = newCartLeaf(p, with)
		leaves = append(leaves, newCartLeaf(p, without))
		sum += leaves[at].errors + leaves[len(leaves)-1].errors - split.errors
	}
	return errors
}

func newCartLeaf(p *instance.Points, set []uint64) cartLeaf {
	sums := classSums(p, set, nil)
	l := cartLeaf{set: set, errors: total(sums) - slices.Max(sums), feature: -1}
	if l.errors == 0 {
		return l
	}
	without := make([]int64, len(sums))
	for f, column := range p.Columns {
		with := classSums(p, set, column)
		for c := range with {
			without[c] = sums[c] - with[c]
		}
		if total(with) == 0 || total(without) == 0 {
			continue
		}
		if g := impurity(sums) - impurity(with) - impurity(without); l.feature < 0 || g > l.gain+1e-9 {
			l.gain, l.feature = g, f
		}
	}
	return l
}

// classSums returns the weight of each class in a set, or in its points with a feature.
func classSums(p *instance.Points, set, column []uint64) []int64 {
	sums := make([]int64, p.Classes)
	for w, x := range set {
		if column != nil {
			x &= column[w]
		}
		for ; x != 0; x &= x - 1 {
			i := w*64 + bits.TrailingZeros64(x)
			for c := range sums {
				sums[c] += p.Weights[c][i]
			}
		}
	}
	return sums
}

func total(sums []int64) (n int64) {
	for _, s := range sums {
		n += s
	}
	return n
}

// impurity is the Gini impurity times the weight.
func impurity(sums []int64) float64 {
	n, squares := float64(total(sums)), 0.
	for _, s := range sums {
		squares += float64(s) * float64(s)
	}
	return n - squares/n
}
