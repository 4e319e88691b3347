// Package luck deals the labels of samples out anew, and says what conditions save there: by luck. Begin with [Most].
package luck

import (
	"cmp"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/bits-and-blooms/bitset"

	"parcorels/dataset"
	"parcorels/ratio"
	"parcorels/rules"
)

// Most returns the largest share of the weight that one or two conditions save of shuffled labels, rounded up to thousandths, and
// whether some save more of the labels as they are. Labels without meaning do so one time in shuffles + 1. Numbers of shuffled
// labels are cut anew where the columns were kept. A sample counts as much as those of its class do on average.
//
// On 23 tables with 2 to 10% of the rarer class a test of conditions alone loses .8 ± .9 points of balanced accuracy on rows left out,
// as in one of them pairs tell the class. The cuts of the true labels instead of new ones make luck half as large.
//
// Where none of the first shuffles has half as much, the others are not made: in so many columns the largest of 39 is
// hardly ever twice the largest of 7.
func Most(d *dataset.Dataset) (share ratio.Ratio, more bool) {
	if d.Counted() {
		if d.Rows() > mostRows {
			return ratio.New(0, 1), true
		}
		d, _ = d.Expanded()
	}
	saved, total := most(d)
	largest := int64(0)
	for i := range shuffles {
		luck, _ := most(Shuffled(d, nil, rand.New(rand.NewPCG(seed, uint64(i)))))
		if largest = max(largest, luck); i+1 >= enough && saved/2 > largest {
			break
		}
	}
	high, low := bits.Mul64(uint64(largest), 1000)
	thousandths, rest := bits.Div64(high, low, uint64(total))
	if rest > 0 {
		thousandths++
	}
	return ratio.New(int64(thousandths), 1000), saved > largest
}

const (
	shuffles = 39
	enough   = 7
	seed     = 53
	mostRows = 1 << 20 // that samples stand for: each is dealt out by itself
	leaders  = 8       // conditions to which others are added
)

// most returns the largest weight that a condition saves, or two of which one is among those that save most alone.
func most(d *dataset.Dataset) (saved, total int64) {
	classes := rules.ClassSets(d)
	weight, rows := make([]int64, len(classes)), make([]uint64, len(classes))
	for i := range d.N {
		weight[d.Class(i)] += d.Weight(i)
		rows[d.Class(i)]++
	}
	for _, w := range weight {
		total += w
	}
	alone := each(d, classes, weight, rows)
	order := make([]int, len(alone))
	for i := range order {
		order[i], saved = i, max(saved, alone[i])
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(alone[b], alone[a]) })
	within := make([]*bitset.BitSet, len(classes))
	for _, i := range order[:min(leaders, len(order))] {
		for c, members := range classes {
			within[c] = members.Intersection(d.Features[i].Bits)
		}
		saved = max(saved, slices.Max(each(d, within, weight, rows)))
	}
	return saved, total
}

// each returns the weight that each condition saves on samples, given by class.
func each(d *dataset.Dataset, within []*bitset.BitSet, weight []int64, rows []uint64) []int64 {
	saves := make([]int64, len(d.Features))
	for i, f := range d.Features {
		in, out := int64(0), int64(0) // right, on each side
		for c, members := range within {
			high, low := bits.Mul64(uint64(weight[c]), uint64(members.IntersectionCardinality(f.Bits)))
			part, _ := bits.Div64(high, low, max(rows[c], 1))
			in, out = max(in, int64(part)), max(out, weight[c]-int64(part))
		}
		saves[i] = in + out - slices.Max(weight)
	}
	return saves
}

// Shuffled returns the data with labels, and their weights, in another order.
func Shuffled(d *dataset.Dataset, groups []int, rng *rand.Rand) *dataset.Dataset {
	s, order := *d, dealt(d.N, groups, rng)
	s.ClassOf, s.Weights, s.Gains = dataset.Taken(d.ClassOf, order), dataset.Taken(d.Weights, order), nil
	for _, gains := range d.Gains {
		s.Gains = append(s.Gains, dataset.Taken(gains, order))
	}
	all := bitset.New(uint(d.N)).FlipRange(0, uint(d.N))
	return s.Recut(all, &s)
}

// dealt returns whose label each sample gets.
func dealt(n int, groups []int, rng *rand.Rand) []int {
	if groups == nil {
		return rng.Perm(n)
	}
	members := map[int][]int{}
	var names []int
	for i, g := range groups {
		if members[g] == nil {
			names = append(names, g)
		}
		members[g] = append(members[g], i)
	}
	slices.SortStableFunc(names, func(a, b int) int { return cmp.Compare(len(members[a]), len(members[b])) })
	order := make([]int, n)
	for first := 0; first < len(names); {
		size, last := len(members[names[first]]), first
		for last < len(names) && len(members[names[last]]) == size {
			last++
		}
		for i, from := range rng.Perm(last - first) {
			within := rng.Perm(size)
			for j, to := range members[names[first+i]] {
				order[to] = members[names[first+from]][within[j]]
			}
		}
		first = last
	}
	return order
}
