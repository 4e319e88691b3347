package automorphism

import (
	"cmp"
	"slices"
)

// colouring is a hash for every antecedent and every point.
type colouring struct {
	antecedents, points []uint64
	sum                 uint64 // says of refined colourings which may have as many of every colour
}

// first colours points by their costs.
func (g *graph) first() colouring {
	c := colouring{antecedents: make([]uint64, len(g.captured)), points: make([]uint64, len(g.by))}
	for p, cost := range g.costs {
		c.points[p] = mix(mix(1, uint64(cost[0])), uint64(cost[1]))
	}
	return c
}

// single returns a copy in which one antecedent has a colour of its own.
func (c *colouring) single(a int) colouring {
	d := colouring{antecedents: slices.Clone(c.antecedents), points: slices.Clone(c.points)}
	d.antecedents[a] = mix(d.antecedents[a], 2)
	return d
}

// refine colours by the colours of neighbours until all antecedents differ or no
// more colours come up.
func (g *graph) refine(c *colouring) {
	for colours := 0; g.goesOn(); {
		g.work += 2*g.visits + overhead*(len(c.points)+len(c.antecedents))
		c.sum = g.recolour(c.points, g.by, c.antecedents, 3)
		c.sum += g.recolour(c.antecedents, g.captured, c.points, 4)
		clear(g.seen)
		for _, colour := range c.antecedents {
			g.seen[colour] = struct{}{}
		}
		if len(g.seen) == colours || len(g.seen) == len(c.antecedents) {
			return
		}
		colours = len(g.seen)
	}
}

// recolour mixes the colours of its neighbours on the other side into every
// colour. In which order they come makes no difference. It returns the sum of
// the new colours' hashes.
func (g *graph) recolour(colours []uint64, neighbours [][]int32, others []uint64, salt uint64) (total uint64) {
	hashes := g.hashes[:0]
	for _, colour := range others {
		hashes = append(hashes, mix(colour, salt))
	}
	g.hashes = hashes
	for i, list := range neighbours {
		var sum uint64
		for _, j := range list {
			sum += hashes[j]
		}
		colours[i] = mix(colours[i], sum)
		total += mix(colours[i], salt)
	}
	return total
}

// overhead is what colours cost beside the visits of a step, in visits: they are
// hashed, copied and counted.
const overhead = 20

// ambiguous returns the antecedents of one colour that several have, in
// ascending order: the fewest, and of as many those with the smallest; nil if
// all colours are different.
func (c *colouring) ambiguous() []int {
	cells := map[uint64][]int{}
	for a, colour := range c.antecedents {
		cells[colour] = append(cells[colour], a)
	}
	var found []int
	for _, cell := range cells {
		if len(cell) > 1 && (found == nil || cmp.Or(cmp.Compare(len(cell), len(found)), cmp.Compare(cell[0], found[0])) < 0) {
			found = cell
		}
	}
	return found
}

// mix hashes x into h.
func mix(h, x uint64) uint64 {
	h = (h ^ x) * 0x9e3779b97f4a7c15
	h ^= h >> 29
	h *= 0xbf58476d1ce4e5b9
	return h ^ h>>32
}
