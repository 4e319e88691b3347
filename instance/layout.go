package instance

import (
	"cmp"
	"slices"

	"parcorels/bitvec"
)

// lay puts the points that cost anything in their places, packs columns, costs
// and planes, and sums up the base of all points.
func (in *Instance) lay(k *keyed) {
	for i := 0; i < len(k.weights); i += 2 {
		in.Base += min(k.weights[i], k.weights[i+1])
	}
	class1, class0 := k.heaviestFirst(1), k.heaviestFirst(0)
	in.Points = len(class1) + len(class0)
	in.Words1 = (len(class1) + 63) / 64
	in.Words = in.Words1 + (len(class0)+63)/64

	in.Costs = make([]int64, 64*in.Words)
	in.Columns = newColumns(in.Antecedents, in.Words)
	in.place(k, class1, 1, 0)
	in.place(k, class0, 0, in.Words1)
	in.Planes = bitvec.NewPlanes(in.Costs, in.Words1)
}

// cost is the weight of point p of a class beyond that of the other.
func (k *keyed) cost(p, class int) int64 {
	return k.weights[2*p+class] - k.weights[2*p+1-class]
}

// fewCosts is up to how many different costs points are sorted by counting.
const fewCosts = 64

// heaviestFirst lists the points whose cost for a class is positive. Points are
// numbered by first sample, which decides ties.
func (k *keyed) heaviestFirst(class int) (list []int) {
	n, costs := 0, make([]int64, 0, fewCosts) // different ones, ascending
	for p := range k.n {
		c := k.cost(p, class)
		if c <= 0 {
			continue
		}
		n++
		if at, known := slices.BinarySearch(costs, c); !known && len(costs) <= fewCosts {
			costs = append(costs, 0)
			copy(costs[at+1:], costs[at:])
			costs[at] = c
		}
	}
	list = make([]int, n)
	if len(costs) > fewCosts {
		k.sorted(list[:0], class)
		return list
	}
	next := make([]int, len(costs)+1) // by cost: where the next point goes
	for p := range k.n {
		if c := k.cost(p, class); c > 0 {
			at, _ := slices.BinarySearch(costs, c)
			next[at]++
		}
	}
	for at := len(costs) - 1; at >= 0; at-- {
		next[at] += next[at+1]
	}
	for p := range k.n {
		if c := k.cost(p, class); c > 0 {
			at, _ := slices.BinarySearch(costs, c)
			list[next[at+1]] = p
			next[at+1]++
		}
	}
	return list
}

// sorted appends the points whose cost for a class is positive, heaviest first.
func (k *keyed) sorted(list []int, class int) {
	for p := range k.n {
		if k.cost(p, class) > 0 {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, func(a, b int) int {
		return cmp.Or(cmp.Compare(k.cost(b, class), k.cost(a, class)), a-b)
	})
}

// place writes costs and column bits of the points of one class, which begins
// at word. The keys are turned back into columns 64 points at a time.
func (in *Instance) place(k *keyed, list []int, class, word int) {
	for ; len(list) > 0; word++ {
		block := list[:min(64, len(list))]
		list = list[len(block):]
		for i, p := range block {
			in.Costs[word*64+i] = k.cost(p, class)
		}
		k.writeColumns(in.Columns, block, word)
	}
}
