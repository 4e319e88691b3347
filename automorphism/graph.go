package automorphism

import (
	"math/bits"
	"slices"
)

// graph is an instance as lists, with its points merged that the same
// antecedents capture.
type graph struct {
	captured [][]int32        // antecedent → points
	by       [][]int32        // point → antecedents, ascending
	costs    [][2]int64       // of a point, by class
	index    map[string]int32 // point by the antecedents that capture it
	limits   Limits
	work     int
	visits   int      // of a refinement step
	hashes   []uint64 // of the colours of the other side, in a step
}

// newGraph returns nil if the effort would be too large.
func newGraph(in *Instance, l Limits) *graph {
	g := &graph{captured: make([][]int32, len(in.Columns)), index: map[string]int32{}, limits: l}
	for _, c := range in.Columns {
		for _, w := range c {
			g.visits += bits.OnesCount64(w)
		}
	}
	if len(in.Columns) > 1<<16 || g.visits+len(in.Costs) > l.Work/16 {
		return nil
	}
	at := make([][]int32, len(in.Costs))
	for a, c := range in.Columns {
		for w, x := range c {
			for ; x != 0; x &= x - 1 {
				i := w*64 + bits.TrailingZeros64(x)
				at[i] = append(at[i], int32(a))
			}
		}
	}
	for i, cost := range in.Costs {
		if cost > 0 {
			g.add(at[i], cost, i/64 < in.Words1)
		}
	}
	return g
}

func (g *graph) add(by []int32, cost int64, class1 bool) {
	key := keyOf(by)
	p, known := g.index[key]
	if !known {
		p = int32(len(g.by))
		g.index[key] = p
		g.by = append(g.by, by)
		g.costs = append(g.costs, [2]int64{})
		for _, a := range by {
			g.captured[a] = append(g.captured[a], p)
		}
	}
	class := 0
	if class1 {
		class = 1
	}
	g.costs[p][class] += cost
}

// keyOf names a set of antecedents.
func keyOf(by []int32) string {
	b := make([]byte, 0, 2*len(by))
	for _, a := range by {
		b = append(b, byte(a), byte(a>>8))
	}
	return string(b)
}

// symmetric checks a permutation against the definition: the image of every
// point is a point with the same costs. Distinct points have distinct images, so
// every point is one.
func (g *graph) symmetric(m Permutation) bool {
	g.work += g.visits
	image := make([]int32, 0, len(m))
	for p, by := range g.by {
		image = image[:0]
		for _, a := range by {
			image = append(image, int32(m[a]))
		}
		slices.Sort(image)
		q, known := g.index[keyOf(image)]
		if !known || g.costs[p] != g.costs[q] {
			return false
		}
	}
	return true
}

func (g *graph) goesOn() bool { return g.work < g.limits.Work && g.limits.GoOn() }

// colouring is a hash for every antecedent and every point.
type colouring struct{ antecedents, points []uint64 }

// first colours points by their costs.
func (g *graph) first() colouring {
	c := colouring{make([]uint64, len(g.captured)), make([]uint64, len(g.by))}
	for p, cost := range g.costs {
		c.points[p] = mix(mix(1, uint64(cost[0])), uint64(cost[1]))
	}
	return c
}

// single returns a copy in which one antecedent has a colour of its own.
func (c *colouring) single(a int) colouring {
	d := colouring{slices.Clone(c.antecedents), slices.Clone(c.points)}
	d.antecedents[a] = mix(d.antecedents[a], 2)
	return d
}

// refine colours by the colours of neighbours until no more colours come up.
func (g *graph) refine(c *colouring) {
	colours := 0
	for g.goesOn() {
		g.work += 2*g.visits + overhead*(len(c.points)+len(c.antecedents))
		g.recolour(c.points, g.by, c.antecedents, 3)
		g.recolour(c.antecedents, g.captured, c.points, 4)
		seen := map[uint64]struct{}{}
		for _, colour := range c.antecedents {
			seen[colour] = struct{}{}
		}
		if len(seen) == colours {
			return
		}
		colours = len(seen)
	}
}

// recolour mixes the colours of its neighbours on the other side into every
// colour. In which order they come makes no difference.
func (g *graph) recolour(colours []uint64, neighbours [][]int32, others []uint64, salt uint64) {
	g.hashes = g.hashes[:0]
	for _, colour := range others {
		g.hashes = append(g.hashes, mix(colour, salt))
	}
	for i, list := range neighbours {
		var sum uint64
		for _, j := range list {
			sum += g.hashes[j]
		}
		colours[i] = mix(colours[i], sum)
	}
}

// overhead is what colours cost beside the visits of a step, in visits: they are
// hashed, copied and sorted.
const overhead = 20

// like reports whether two colourings have as many of every colour.
func (c *colouring) like(d *colouring) bool {
	return alike(c.antecedents, d.antecedents) && alike(c.points, d.points)
}

func alike(x, y []uint64) bool {
	x, y = slices.Clone(x), slices.Clone(y)
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}

// mix hashes x into h.
func mix(h, x uint64) uint64 {
	h = (h ^ x) * 0x9e3779b97f4a7c15
	h ^= h >> 29
	h *= 0xbf58476d1ce4e5b9
	return h ^ h>>32
}
