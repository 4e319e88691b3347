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

// heaviestFirst lists the points whose cost for a class is positive. Points are
// numbered by first sample, which decides ties.
func (k *keyed) heaviestFirst(class int) (list []int) {
	for p := range k.n {
		if k.cost(p, class) > 0 {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, func(a, b int) int {
		return cmp.Or(cmp.Compare(k.cost(b, class), k.cost(a, class)), a-b)
	})
	return list
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
