package instance

import (
	"cmp"
	"slices"

	"parcorels/bitvec"
)

// lay puts the points of g that cost anything in their places and packs
// columns, costs and planes.
func (in *Instance) lay(g *grouping) {
	class1 := g.heaviestFirst(func(p point) int64 { return p.weight1 - p.weight0 })
	class0 := g.heaviestFirst(func(p point) int64 { return p.weight0 - p.weight1 })
	in.Points = len(class1) + len(class0)
	in.Words1 = (len(class1) + 63) / 64
	in.Words = in.Words1 + (len(class0)+63)/64

	in.Costs = make([]int64, 64*in.Words)
	backing := make([]uint64, in.Antecedents*in.Words)
	in.Columns = make([][]uint64, in.Antecedents)
	for a := range in.Columns {
		in.Columns[a] = backing[a*in.Words : (a+1)*in.Words : (a+1)*in.Words]
	}
	in.place(g, class1, 0)
	in.place(g, class0, in.Words1)
	in.Planes = bitvec.NewPlanes(in.Costs, in.Words1)
}

// heaviestFirst lists the points whose cost for a class, their weight of its
// label beyond that of the other, is positive. Points are numbered by first
// sample, which decides ties.
func (g *grouping) heaviestFirst(cost func(point) int64) (list []int) {
	for p := range g.points {
		if cost(g.points[p]) > 0 {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, func(a, b int) int {
		return cmp.Or(cmp.Compare(cost(g.points[b]), cost(g.points[a])), a-b)
	})
	return list
}

// place writes costs and column bits of the points of one class, which begins
// at word. The keys are turned back into columns 64 points at a time.
func (in *Instance) place(g *grouping, list []int, word int) {
	for ; len(list) > 0; word++ {
		block := list[:min(64, len(list))]
		list = list[len(block):]
		for i, p := range block {
			in.Costs[word*64+i] = abs(g.points[p].weight1 - g.points[p].weight0)
		}
		for k := range g.width {
			var m [64]uint64
			for i, p := range block {
				m[i] = g.key(p)[k]
			}
			transpose(&m)
			for i, c := range in.Columns[k*64 : min(k*64+64, in.Antecedents)] {
				c[word] = m[i]
			}
		}
	}
}

func abs(x int64) int64 { return max(x, -x) }
