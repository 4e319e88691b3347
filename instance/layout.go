package instance

import (
	"cmp"
	"iter"
	"runtime"
	"slices"
	"sync/atomic"

	"parcorels/costs"
	"parcorels/loop"
)

// lay puts the points that cost anything in their places, and sums up the base of all
// points. With weight w_q of label q at a point, predicting q costs Σ w − w_q there. So the cheapest label is
// the heaviest one, the smallest of these, and label q gains w_q less the least weight.
func (in *Instance) lay(k *keyed) {
	all, labels := make([]int64, k.n), make([]uint16, k.n)
	var base atomic.Int64
	k.eachPart(func(points iter.Seq2[int, []int64]) {
		least := int64(0)
		for p, w := range points {
			label := 0
			low := w[0]
			for q, x := range w {
				least += x
				low = min(low, x)
				if x > w[label] {
					label = q
				}
			}
			least -= w[label]
			all[p], labels[p] = w[label]-low, uint16(label)
		}
		base.Add(least)
	})
	in.Base += base.Load()
	lists := make([][]int32, k.classes)
	loop.Parallel(len(lists), func(q int) { lists[q] = heaviestFirst(all, labels, uint16(q)) })
	l := arrange(lists)
	gains := l.gains(k)
	k.drop()
	labels = nil
	collect(k.n)
	in.fill(k, l, gains, func(int) []int64 { return all })
}

// arranged is points by label, those of the last label first. Each label begins at a word.
type arranged struct {
	lists  [][]int32
	begins []int    // by label, its first word
	byWord []uint16 // the label of each word
}

func arrange(lists [][]int32) arranged {
	l := arranged{lists: lists, begins: make([]int, len(lists))}
	for q, list := range slices.Backward(lists) {
		l.begins[q] = len(l.byWord)
		for range (len(list) + 63) / 64 {
			l.byWord = append(l.byWord, uint16(q))
		}
	}
	return l
}

// gains returns what each label gains at each place, nil of two labels.
func (l *arranged) gains(k *keyed) [][]int64 {
	if k.classes == 2 {
		return nil
	}
	gains := make([][]int64, k.classes)
	for q := range gains {
		gains[q] = make([]int64, 64*len(l.byWord))
	}
	at := slices.Repeat([]int32{-1}, k.n) // the place of each point, −1 of those that no list has
	for q, list := range l.lists {
		for i, p := range list {
			at[p] = int32(64*l.begins[q] + i)
		}
	}
	k.eachPart(func(points iter.Seq2[int, []int64]) {
		for p, w := range points {
			if at[p] < 0 {
				continue
			}
			least := slices.Min(w)
			for q, x := range w {
				gains[q][at[p]] = x - least
			}
		}
	})
	return gains
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

// fill makes columns and costs of points at their places. Costs has those of the points of a label.
func (in *Instance) fill(k *keyed, l arranged, gains [][]int64, of func(label int) []int64) {
	all := make([]int64, 64*len(l.byWord))
	for q, list := range l.lists {
		from := of(q)
		in.Points += len(list)
		eachWords(list, func(w int, some []int32) {
			for i, p := range some {
				all[(l.begins[q]+w)*64+i] = from[p]
			}
		})
	}
	in.Table = costs.New(all, l.byWord, gains)
	in.Columns = columnsOf(make([]uint64, in.Antecedents*in.Words), in.Antecedents, in.Words)
	k.place(k.derivation.keysOf(in.Columns), l.lists, l.begins)
	k.derivation.make(in.Columns)
}

// heaviestFirst lists the points of a label that cost anything; without labels these are all that do. Points are numbered by
// first sample, which decides ties. Costs are mostly small, so that points are counted by cost, and not compared.
func heaviestFirst(costs []int64, labels []uint16, label uint16) []int32 {
	has := func(p int) bool { return costs[p] > 0 && (labels == nil || labels[p] == label) }
	count, most := 0, int64(0)
	for p, c := range costs {
		if has(p) {
			count++
			most = max(most, c)
		}
	}
	list := make([]int32, count)
	if most > int64(count) {
		list = list[:0]
		for p := range costs {
			if has(p) {
				list = append(list, int32(p))
			}
		}
		slices.SortFunc(list, func(a, b int32) int { return cmp.Or(cmp.Compare(costs[b], costs[a]), int(a-b)) })
		return list
	}
	next := make([]int32, most+1) // by cost: the place of its next point
	for p, c := range costs {
		if has(p) {
			next[c-1]++
		}
	}
	for c := most - 1; c >= 0; c-- {
		next[c] += next[c+1]
	}
	for p, c := range costs {
		if has(p) {
			list[next[c]] = int32(p)
			next[c]++
		}
	}
	return list
}
