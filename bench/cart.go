package bench

import (
	"math"
	"slices"
	"time"

	"github.com/bits-and-blooms/bitset"

	"parcorels/crossval"
	"parcorels/dataset"
)

// CART beside optimal trees: the greedy method of Breiman, Friedman, Olshen and
// Stone (1984), grown best first as scikit-learn grows it for max_leaf_nodes. The
// leaf whose best split lowers the Gini impurity most is split next, until no
// leaf holds two classes that a feature tells apart. Of splits that lower it
// equally the one with the smallest feature is taken. Samples have no weights.

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

// mostGreedyLeaves is more than a tree has that pays for its leaves.
const mostGreedyLeaves = 100

// besideGreedy returns what CART has on the samples of a tree of so many leaves.
func besideGreedy(d *dataset.Dataset, leaves int, lambda float64) map[string]float64 {
	n := float64(d.N)
	t := cartOf(d, bitset.New(uint(d.N)))
	start := time.Now()
	same := last(t.grow(leaves)).errors
	m := map[string]float64{greedySeconds: time.Since(start).Seconds(), greedySame: 1 - float64(same)/n, greedyBest: math.Inf(1)}
	for i, size := range t.grow(max(leaves, mostGreedyLeaves)) {
		if v := float64(size.errors)/n + lambda*float64(i+1); v < m[greedyBest] {
			m[greedyBest], m[greedyBest+" leaves"] = v, float64(i+1)
		}
	}
	return m
}

// greedyFolds adds what CART measures on the folds of a cross-validation of trees. It
// has as many leaves as the optimal tree of each training part, and features that are cut
// as the training part has them.
func (o *Outcome) greedyFolds(d *dataset.Dataset, r *crossval.Report) {
	var train, test, more []float64
	for f, left := range r.Folds {
		fit := r.Fits[0][f]
		grown := last(cartOf(d.Recut(left.Complement(), nil), left).grow(fit.Model.Certificate().Size))
		n := float64(left.Count())
		train = append(train, 1-float64(grown.errors)/(float64(d.N)-n))
		test = append(test, 1-float64(grown.missed)/n)
		more = append(more, fit.Test.Accuracy()-test[f])
	}
	o.estimate(greedyTrain, crossval.EstimateOf(train))
	o.estimate(greedySame, crossval.EstimateOf(test))
	o.estimate(ahead, crossval.EstimateOf(more))
}

// cartTable is what CART learns from: the samples of each feature, and of each class those to learn from and those
// that it is only tested on.
type cartTable struct {
	samples               uint
	columns, train, tests []*bitset.BitSet
}

// cartOf returns a table whose samples left are only tested on.
func cartOf(d *dataset.Dataset, left *bitset.BitSet) *cartTable {
	t := &cartTable{samples: uint(d.N)}
	for _, f := range d.Features {
		t.columns = append(t.columns, f.Bits)
	}
	for range d.ClassCount() {
		t.train = append(t.train, bitset.New(t.samples))
	}
	for i := range d.N {
		t.train[d.Class(i)].Set(uint(i))
	}
	for c, class := range t.train {
		t.tests = append(t.tests, class.Intersection(left))
		t.train[c] = class.Difference(left)
	}
	return t
}

// cartSize is a tree of one size: its errors, and those on samples that it is tested on.
type cartSize struct{ errors, missed int }

// cartLeaf is a leaf with its best split.
type cartLeaf struct {
	cartSize
	set     *bitset.BitSet
	gain    float64
	feature int // −1: none
}

// grow returns the trees of one leaf, two, … up to most.
func (t *cartTable) grow(most int) (sizes []cartSize) {
	leaves := []cartLeaf{t.leaf(bitset.New(t.samples).Complement())}
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
		column := t.columns[split.feature]
		leaves[at] = t.leaf(split.set.Intersection(column))
		leaves = append(leaves, t.leaf(split.set.Difference(column)))
		sum.errors += leaves[at].errors + last(leaves).errors - split.errors
		sum.missed += leaves[at].missed + last(leaves).missed - split.missed
	}
	return sizes
}

func last[T any](list []T) T { return list[len(list)-1] }

func (t *cartTable) leaf(set *bitset.BitSet) cartLeaf {
	sums, total := countClasses(t.train, set)
	most := slices.Max(sums)
	held, tests := countClasses(t.tests, set)
	l := cartLeaf{set: set, cartSize: cartSize{total - most, tests - held[slices.Index(sums, most)]}, feature: -1}
	if l.errors == 0 {
		return l
	}
	for f, column := range t.columns {
		with, n := countClasses(t.train, set.Intersection(column))
		if n == 0 || n == total {
			continue
		}
		without := slices.Clone(sums)
		for c := range with {
			without[c] -= with[c]
		}
		if g := impurity(sums) - impurity(with) - impurity(without); l.feature < 0 || g > l.gain+1e-9 {
			l.gain, l.feature = g, f
		}
	}
	return l
}

// countClasses counts the samples of each class in a set, and all of them.
func countClasses(classes []*bitset.BitSet, set *bitset.BitSet) (counts []int, total int) {
	for _, class := range classes {
		n := int(class.IntersectionCardinality(set))
		counts, total = append(counts, n), total+n
	}
	return counts, total
}

// impurity is the Gini impurity times the number of samples.
func impurity(counts []int) float64 {
	n, squares := 0., 0.
	for _, c := range counts {
		n += float64(c)
		squares += float64(c) * float64(c)
	}
	return n - squares/n
}
