package instance

import (
	"cmp"
	"iter"
	"runtime"
	"slices"
	"sync/atomic"

	"parcorels/bitvec"
	"parcorels/internal/loop"
)

// lay puts the points that cost anything in their places, and sums up the base of all
// points.
func (in *Instance) lay(k *keyed) {
	if k.classes > 2 {
		in.layClasses(k)
		return
	}
	costs := make([]int64, k.n) // of class 0; those of class 1 are their opposites
	var base atomic.Int64
	k.eachPart(func(points iter.Seq2[int, []int64]) {
		least := int64(0)
		for p, w := range points {
			w0, w1 := w[0], w[1]
			least += min(w0, w1)
			costs[p] = w0 - w1
		}
		base.Add(least)
	})
	in.Base += base.Load()
	k.drop()
	collect(k.n)
	in.fill(k, costs, costs, -1)
}

// manyPoints is from how many points on garbage is collected before columns are made: hashes, slots and weights, which
// take more than the columns will.
const manyPoints = 1 << 20

// collect collects garbage of many points.
func collect(points int) {
	if points >= manyPoints {
		runtime.GC()
	}
}

// fill packs columns, costs and planes of the points with a positive cost for a class, and
// returns these by class in their order. The costs for class 1 are to be multiplied by its sign.
func (in *Instance) fill(k *keyed, costs0, costs1 []int64, sign1 int64) (lists [2][]int32) {
	loop.Parallel(len(lists), func(class int) {
		if class == 0 {
			lists[0] = heaviestFirst(costs0, 1)
		} else {
			lists[1] = heaviestFirst(costs1, sign1)
		}
	})
	in.Points = len(lists[0]) + len(lists[1])
	in.Words1 = (len(lists[1]) + 63) / 64
	in.Words = in.Words1 + (len(lists[0])+63)/64
	in.Costs = make([]int64, 64*in.Words)
	in.placeCosts(lists[1], costs1, sign1, 0)
	in.placeCosts(lists[0], costs0, 1, in.Words1)
	costs0, costs1 = nil, nil
	collect(k.n)
	in.Columns = newColumns(in.Antecedents, in.Words)
	k.place(k.derivation.keysOf(in.Columns), lists[:], []int{in.Words1, 0})
	k.derivation.make(in.Columns)
	in.Planes = bitvec.NewPlanes(in.Costs, in.Words1)
	return lists
}

// placeCosts writes the costs of the points of a class, times a sign, from a word on.
func (in *Instance) placeCosts(list []int32, costs []int64, sign int64, word int) {
	eachWords(list, func(w int, some []int32) {
		for i, p := range some {
			in.Costs[(word+w)*64+i] = sign * costs[p]
		}
	})
}

// heaviestFirst lists the points whose cost, times a sign, is positive. Points are numbered by first
// sample, which decides ties. Costs are mostly small, so that points are counted by cost, and not compared.
func heaviestFirst(costs []int64, sign int64) []int32 {
	count, most := 0, int64(0)
	for _, c := range costs {
		if c *= sign; c > 0 {
			count++
			most = max(most, c)
		}
	}
	list := make([]int32, count)
	if most > int64(count) {
		list = list[:0]
		for p, c := range costs {
			if c*sign > 0 {
				list = append(list, int32(p))
			}
		}
		slices.SortFunc(list, func(a, b int32) int { return cmp.Or(cmp.Compare(sign*costs[b], sign*costs[a]), int(a-b)) })
		return list
	}
	next := make([]int32, most+1) // by cost: the place of its next point
	for _, c := range costs {
		if c *= sign; c > 0 {
			next[c-1]++
		}
	}
	for c := most - 1; c >= 0; c-- {
		next[c] += next[c+1]
	}
	for p, c := range costs {
		if c *= sign; c > 0 {
			list[next[c]] = int32(p)
			next[c]++
		}
	}
	return list
}

// Split returns points of two classes in the layout of an instance, without the
// reduction: the samples of each class at a point have a place of their own, of
// their weight, so that a set of places counts both classes. At[c][i] is the place
// of class c of point i, −1 where it has no such samples.
func (p *Points) Split() (in *Instance, at [2][]int) {
	in = &Instance{Samples: p.Samples, Total: p.Total, Weight1: p.ClassTotals[1], Antecedents: p.Antecedents}
	lists := in.fill(p.placed(), p.Weights[0], p.Weights[1], 1)
	for class, word := range [2]int{in.Words1, 0} {
		at[class] = slices.Repeat([]int{-1}, p.Count)
		for n, i := range lists[class] {
			at[class][i] = 64*word + n
		}
	}
	return in, at
}
