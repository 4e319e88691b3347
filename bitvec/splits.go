package bitvec

import (
	"cmp"
	"math/bits"
	"slices"
)

// Splits counts all that a search over decision trees asks of a set of points:
// for every feature that splits the set, the cost of either side as one leaf
// and as the best tree of two leaves, and what a leaf below one split costs at least.
//
// A leaf that predicts class j costs the sum of cost j over its points, and a
// leaf is given the cheapest class. Gains are counted: class j gains for a
// point its largest cost less cost j. So a leaf costs the largest costs of its points
// less the largest sum of gains of a class. Most points gain in one class only, however
// many there are. The largest cost of a point is the sum of its gains then; of other
// points the sum exceeds it, and the excess is counted as one class more. The best tree of two leaves of a side tries
// every other feature, so the count looks at all pairs of features.
//
// A count has three steps.
//
//  1. Gather. The points of the set are packed: of every feature that splits
//     the set, the bits at the points of the set, class by class and within a
//     class one binary digit of the gains after the other (a point whose gain
//     has three digits set is packed three times). A search counts small sets of
//     a large table, so this leaves few words, each with one weight.
//  2. Sums. The gains of each class inside each feature.
//  3. Pairs. For features f and g the gains inside both give, with the sums,
//     those of the other three cells. A pass over f ≤ g updates the best split and
//     the cheapest cell of both sides of f and of both sides of g, and keeps nothing
//     else: memory grows with features × packed words, not with pairs.
//
// Splits is immutable once it has its features; each goroutine has a [SplitCount] of its own.
type Splits struct {
	features, words int
	columns         []uint64 // feature f at f·words; behind the last a feature without points
	planes          []splitPlane
	classes         int
	all             []uint64 // points that cost anything in some class
	heaviest        int64    // weight of a plane
}

// splitPlane is one digit of the gains of a class, or of the excess, as class of its own
// behind the last: the points that have it.
type splitPlane struct {
	class    int
	weight   int64
	from, to int      // words of the set that it has points in
	masks    []uint64 // one a word
}

// splitWide is the smallest weight that the vector kernels do not multiply by:
// VPMULUDQ takes 32 bits.
const splitWide = 1 << 32

// NewSplits returns the counts over points of so many words, without features yet. GainsOf
// writes what each class gains at the points of a word (bit i of it), in place of those of another word. That
// is the largest cost of the point less what it costs in a leaf of the class: 0 for some class, and
// for a place without point. There are at least two classes, whose gains add up to less than 2^62.
func NewSplits(words, classes int, gainsOf func(word int, gains [][64]int64)) *Splits {
	s := &Splits{words: words, classes: classes, all: make([]uint64, words)}
	gains := make([][64]int64, classes+min(classes-2, 1)) // of two classes one gains nothing, and there is no excess
	for w := range words {
		gainsOf(w, gains[:classes])
		for i := 0; classes > 2 && i < 64; i++ {
			var sum, most int64
			for j := range classes {
				sum, most = sum+gains[j][i], max(most, gains[j][i])
			}
			gains[classes][i] = sum - most
		}
		for class := range gains {
			for _, m := range digits(gains[class][:]) {
				at := slices.IndexFunc(s.planes, func(p splitPlane) bool { return p.class == class && p.weight == m.Weight })
				if at < 0 {
					at, s.heaviest = len(s.planes), max(s.heaviest, m.Weight)
					s.planes = append(s.planes, splitPlane{class: class, weight: m.Weight, from: w, masks: make([]uint64, words)})
				}
				s.planes[at].masks[w], s.planes[at].to = m.Bits, w+1
				s.all[w] |= m.Bits
			}
		}
	}
	slices.SortFunc(s.planes, func(a, b splitPlane) int { return cmp.Or(a.class-b.class, cmp.Compare(a.weight, b.weight)) })
	return s
}

// Take gives s its features, before the first count. Columns are the sets of points with each, one behind the other,
// and an empty one behind the last. They belong to s from then on.
func (s *Splits) Take(columns []uint64, features int) { s.columns, s.features = columns, features }

// Words returns the number of words of a set.
func (s *Splits) Words() int { return s.words }

// Every returns all features, in ascending order.
func (s *Splits) Every() []int32 {
	list := make([]int32, s.features)
	for f := range list {
		list[f] = int32(f)
	}
	return list
}

// Features returns the number of features.
func (s *Splits) Features() int { return s.features }

// Column returns the set of points with feature f; it must not be changed.
func (s *Splits) Column(f int) []uint64 { return s.columns[f*s.words : (f+1)*s.words] }

// All returns the set of all points that cost anything; it must not be changed.
func (s *Splits) All() []uint64 { return s.all }

// LeafCost returns the smallest cost of the points of u in one leaf, and the
// class that has it, the first one of several.
func (s *Splits) LeafCost(u []uint64) (cost int64, class int) {
	sum := make([]int64, s.classes+1)
	for i := range s.planes {
		p := &s.planes[i]
		for w := p.from; w < p.to; w++ {
			sum[p.class] += int64(bits.OnesCount64(u[w]&p.masks[w])) * p.weight
		}
	}
	cost = -sum[s.classes]
	for j, gain := range sum[:s.classes] {
		cost += gain
		if gain > sum[class] {
			class = j
		}
	}
	return cost - sum[class], class
}
