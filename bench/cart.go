package bench

import (
	"math"
	"math/bits"
	"slices"
	"time"

	"parcorels/crossval"
	"parcorels/dataset"
	"parcorels/instance"
	"parcorels/model/evaluate"
	"parcorels/rules"
)

// CART beside optimal trees: the greedy method of Breiman, Friedman, Olshen and
// Stone (1984), grown best first as scikit-learn grows it for max_leaf_nodes. The
// leaf whose best split lowers the Gini impurity most is split next, until no
// leaf holds two classes that a feature tells apart. Of splits that lower it
// equally the one with the smallest feature is taken.

// The measures of CART: the accuracy with as many leaves as the optimal tree has, the
// smallest objective that any of its sizes has, and the seconds that it takes to grow to
// as many leaves. Of folds they are means of the accuracies of the training and the test
// part, and of how much more the optimal tree has in the test part.
const (
	greedySame    = "CART accuracy"
	greedyBest    = "CART objective" // and, with " leaves" behind it, the size that has it
	greedySeconds = "CART seconds"
	greedyTrain   = "CART training accuracy"
	ahead         = "accuracy above CART"
)

// besideGreedy returns what CART has on the same points as a tree of so many leaves.
func besideGreedy(set *rules.Set, leaves int, lambda float64) (map[string]float64, error) {
	p, err := instance.PointsFromSet(set)
	if err != nil {
		return nil, err
	}
	t := cartTable{p.Columns, p.Weights, nil, p.Count}
	start := time.Now()
	same := last(cart(t, leaves)).errors
	m := map[string]float64{greedySeconds: time.Since(start).Seconds(), greedySame: 1 - float64(same)/float64(p.Total), greedyBest: math.Inf(1)}
	for i, size := range cart(t, max(leaves, mostGreedyLeaves)) {
		if v := float64(size.errors)/float64(p.Total) + lambda*float64(i+1); v < m[greedyBest] {
			m[greedyBest], m[greedyBest+" leaves"] = v, float64(i+1)
		}
	}
	return m, nil
}

// greedyFolds adds what CART measures on the folds of a cross-validation of trees. It
// has as many leaves as the optimal tree of each training part, and features that are cut
// as the training part has them.
func (o *Outcome) greedyFolds(d *dataset.Dataset, r *crossval.Report) {
	var train, test, more []float64
	for f, left := range r.Folds {
		fit := r.Fits[0][f]
		t := cartTable{samples: d.N}
		for _, feature := range d.Recut(left.Complement(), nil).Features {
			t.columns = append(t.columns, feature.Bits.Words())
		}
		for range d.ClassCount() {
			t.weights, t.held = append(t.weights, make([]int64, d.N)), append(t.held, make([]int64, d.N))
		}
		for i := range d.N {
			part := t.weights
			if left.Test(uint(i)) {
				part = t.held
			}
			part[d.Class(i)][i] = 1
		}
		grown := last(cart(t, fit.Model.Certificate().Size))
		n := float64(left.Count())
		train = append(train, 1-float64(grown.errors)/(float64(d.N)-n))
		test = append(test, 1-float64(grown.missed)/n)
		more = append(more, fit.Test.Accuracy()-test[f])
	}
	o.estimate(greedyTrain, crossval.EstimateOf(train))
	o.estimate(greedySame, crossval.EstimateOf(test))
	o.estimate(ahead, crossval.EstimateOf(more))
}

// mostGreedyLeaves is more than a tree has that pays for its leaves.
const mostGreedyLeaves = 100

// cartTable is what CART learns from: the weight of each class at each sample, and of
// held ones, which it is only tested on, if there are some.
type cartTable struct {
	columns       [][]uint64
	weights, held [][]int64
	samples       int
}

// cartSize is a tree of one size: its errors, and those on held samples.
type cartSize struct{ errors, missed int64 }

// cartLeaf is a leaf with its best split.
type cartLeaf struct {
	cartSize
	set     []uint64
	gain    float64
	feature int // −1: none
}

// cart returns its trees of one leaf, two, … up to most.
func cart(t cartTable, most int) (sizes []cartSize) {
	all := make([]uint64, (t.samples+63)/64)
	for i := range t.samples {
		all[i/64] |= 1 << (i % 64)
	}
	leaves := []cartLeaf{newCartLeaf(t, all)}
	sum := leaves[0].cartSize
	for sizes = append(sizes, sum); len(sizes) < most; sizes = append(sizes, sum) {
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
		for w, x := range t.columns[split.feature][:len(with)] {
			with[w] &= x
			without[w] &^= x
		}
		leaves[at] = newCartLeaf(t, with)
		leaves = append(leaves, newCartLeaf(t, without))
		sum.errors += leaves[at].errors + last(leaves).errors - split.errors
		sum.missed += leaves[at].missed + last(leaves).missed - split.missed
	}
	return sizes
}

func last[T any](list []T) T { return list[len(list)-1] }

func newCartLeaf(t cartTable, set []uint64) cartLeaf {
	sums := classSums(t.weights, set, nil)
	most := slices.Max(sums)
	l := cartLeaf{set: set, cartSize: cartSize{errors: evaluate.Sum(sums) - most}, feature: -1}
	if t.held != nil {
		held := classSums(t.held, set, nil)
		l.missed = evaluate.Sum(held) - held[slices.Index(sums, most)]
	}
	if l.errors == 0 {
		return l
	}
	without := make([]int64, len(sums))
	for f, column := range t.columns {
		with := classSums(t.weights, set, column)
		for c := range with {
			without[c] = sums[c] - with[c]
		}
		if evaluate.Sum(with) == 0 || evaluate.Sum(without) == 0 {
			continue
		}
		if g := impurity(sums) - impurity(with) - impurity(without); l.feature < 0 || g > l.gain+1e-9 {
			l.gain, l.feature = g, f
		}
	}
	return l
}

// classSums returns the weight of each class in a set, or in its samples with a feature.
func classSums(weights [][]int64, set, column []uint64) []int64 {
	sums := make([]int64, len(weights))
	for w, x := range set {
		if column != nil {
			x &= column[w]
		}
		for ; x != 0; x &= x - 1 {
			i := w*64 + bits.TrailingZeros64(x)
			for c := range sums {
				sums[c] += weights[c][i]
			}
		}
	}
	return sums
}

// impurity is the Gini impurity times the weight.
func impurity(sums []int64) float64 {
	n, squares := float64(evaluate.Sum(sums)), 0.
	for _, s := range sums {
		squares += float64(s) * float64(s)
	}
	return n - squares/n
}
