package instance

import (
	"cmp"
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
	const step = 1 << 16
	loop.Parallel((k.n+step-1)/step, func(at int) {
		least := int64(0)
		for p := at * step; p < min((at+1)*step, k.n); p++ {
			w := k.weightsOf(p)
			w0, w1 := w[0], w[1]
			least += min(w0, w1)
			costs[p] = w0 - w1
		}
		base.Add(least)
	})
	in.Base += base.Load()
	for i := range k.parts {
		k.parts[i].weights = nil // which take as much as the columns
	}
	if k.n >= manyPoints {
		runtime.GC()
	}
	in.fill(k, [2][]int64{costs, costs}, [2]int64{1, -1})
}

// manyPoints is from how many points on garbage is collected before columns are made: hashes, slots and weights, which
// take more than the columns will.
const manyPoints = 1 << 20

// fill packs columns, costs and planes of the points with a positive cost for a class, and
// returns these by class in their order. The costs for a class are to be multiplied by its sign.
func (in *Instance) fill(k *keyed, costs [2][]int64, signs [2]int64) (lists [2][]int32) {
	loop.Parallel(len(lists), func(class int) { lists[class] = heaviestFirst(costs[class], signs[class]) })
	in.Points = len(lists[0]) + len(lists[1])
	in.Words1 = (len(lists[1]) + 63) / 64
	in.Words = in.Words1 + (len(lists[0])+63)/64
	in.Costs = make([]int64, 64*in.Words)
	in.Columns = newColumns(in.Antecedents, in.Words)
	own := k.derivation.keysOf(in.Columns)
	in.place(k, own, lists[1], costs[1], signs[1], 0)
	in.place(k, own, lists[0], costs[0], signs[0], in.Words1)
	k.derivation.make(in.Columns)
	in.Planes = bitvec.NewPlanes(in.Costs, in.Words1)
	return lists
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

// placedWords is how many words of a set a worker places at a time: whole lines of a
// cache, so that no two workers write to the same one but at the ends of columns.
const placedWords = 64

// place writes costs and bits of the columns of the keys of the points of one class, which begins
// at word. The keys are turned back into columns 64 points at a time.
func (in *Instance) place(k *keyed, columns [][]uint64, list []int32, costs []int64, sign int64, word int) {
	steps := (len(list) + 64*placedWords - 1) / (64 * placedWords)
	loop.Parallel(steps, func(step int) {
		first := step * placedWords
		for w := first; w < first+placedWords && 64*w < len(list); w++ {
			block := list[64*w : min(64*w+64, len(list))]
			for i, p := range block {
				in.Costs[(word+w)*64+i] = sign * costs[p]
			}
			k.writeColumns(columns, block, word+w)
		}
	})
}

// Split returns points of two classes in the layout of an instance, without the
// reduction: the samples of each class at a point have a place of their own, of
// their weight, so that a set of places counts both classes. At[c][i] is the place
// of class c of point i, −1 where it has no such samples.
func (p *Points) Split() (in *Instance, at [2][]int) {
	in = &Instance{Samples: p.Samples, Total: p.Total, Weight1: p.ClassTotals[1], Antecedents: p.Antecedents}
	lists := in.fill(p.keyed(), [2][]int64{p.Weights[0], p.Weights[1]}, [2]int64{1, 1})
	for class, word := range [2]int{in.Words1, 0} {
		at[class] = slices.Repeat([]int{-1}, p.Count)
		for n, i := range lists[class] {
			at[class][i] = 64*word + n
		}
	}
	return in, at
}
