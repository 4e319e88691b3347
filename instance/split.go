package instance

import (
	"cmp"
	"slices"

	"parcorels/bitvec"
)

// Split returns points of two classes in the layout of an instance, without the
// reduction: the samples of each class at a point have a place of their own, of
// their weight, so that a set of places counts both classes. At[c][i] is the place
// of class c of point i, −1 where it has no such samples.
func (p *Points) Split() (in *Instance, at [2][]int) {
	in = &Instance{Samples: p.Samples, Total: p.Total, Weight1: p.ClassTotals[1], Antecedents: p.Antecedents}
	class1, class0 := p.heaviest(1), p.heaviest(0)
	in.Points = len(class1) + len(class0)
	in.Words1 = (len(class1) + 63) / 64
	in.Words = in.Words1 + (len(class0)+63)/64
	in.Costs, in.Columns = make([]int64, 64*in.Words), newColumns(in.Antecedents, in.Words)
	k := p.keyed()
	at[1], at[0] = in.placeClass(p, k, class1, 1, 0), in.placeClass(p, k, class0, 0, in.Words1)
	in.Planes = bitvec.NewPlanes(in.Costs, in.Words1)
	return in, at
}

// heaviest lists the points with samples of a class, the heaviest first.
func (p *Points) heaviest(class int) (list []int32) {
	weights := p.Weights[class]
	for i := range p.Count {
		if weights[i] > 0 {
			list = append(list, int32(i))
		}
	}
	slices.SortFunc(list, func(a, b int32) int { return cmp.Or(cmp.Compare(weights[b], weights[a]), int(a-b)) })
	return list
}

// placeClass writes weights and column bits of the samples of one class, which
// begins at word, and returns where each point is.
func (in *Instance) placeClass(p *Points, k *keyed, list []int32, class, word int) []int {
	at := make([]int, p.Count)
	for i := range at {
		at[i] = -1
	}
	for n, i := range list {
		at[i] = 64*word + n
		in.Costs[at[i]] = p.Weights[class][i]
	}
	for ; len(list) > 0; word++ {
		block := list[:min(64, len(list))]
		list = list[len(block):]
		k.writeColumns(in.Columns, block, word)
	}
	return at
}
