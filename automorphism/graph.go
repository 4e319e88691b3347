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
	index    map[uint64]int32 // point by the hash of the antecedents that capture it
	limits   Limits
	work     int
	visits   int                 // of an antecedent at a point, in all
	image    []int32             // the last point whose image an antecedent was in, plus one
	hashes   []uint64            // of the colours of the other side, in a step
	seen     map[uint64]struct{} // colours, in a step
}

// newGraph returns nil if the effort would be too large, or if the hashes of two
// sets of antecedents are the same.
func newGraph(in *Instance, l Limits) *graph {
	n := len(in.Columns)
	g := &graph{index: map[uint64]int32{}, limits: l, image: make([]int32, n), seen: map[uint64]struct{}{}}
	for _, c := range in.Columns {
		for _, w := range c {
			g.visits += bits.OnesCount64(w)
		}
	}
	if n > 1<<16 || Least(g.visits+len(in.Costs)) > l.Work {
		return nil
	}
	for i, by := range g.antecedentsAt(in) {
		if in.Costs[i] > 0 && !g.add(by, in.Costs[i], i/64 < in.Words1) {
			return nil
		}
	}
	g.captured = inverse(g.by, n, g.visits)
	return g
}

// antecedentsAt returns the antecedents that capture a bit position, for all
// positions.
func (g *graph) antecedentsAt(in *Instance) [][]int32 {
	points := make([][]int32, len(in.Columns))
	room := make([]int32, 0, g.visits)
	for a, c := range in.Columns {
		first := len(room)
		for w, x := range c {
			for ; x != 0; x &= x - 1 {
				room = append(room, int32(w*64+bits.TrailingZeros64(x)))
			}
		}
		points[a] = room[first:]
	}
	return inverse(points, len(in.Costs), g.visits)
}

// inverse returns for each of n things the lists that it is in, which have so
// many entries in all.
func inverse(lists [][]int32, n, entries int) [][]int32 {
	count := make([]int32, n)
	for _, list := range lists {
		for _, i := range list {
			count[i]++
		}
	}
	in, room := make([][]int32, n), make([]int32, entries)
	for i, c := range count {
		in[i], room = room[:0:c], room[c:]
	}
	for l, list := range lists {
		for _, i := range list {
			in[i] = append(in[i], int32(l))
		}
	}
	return in
}

// add adds the cost of a position to its point. It reports false if another
// point has the same hash.
func (g *graph) add(by []int32, cost int64, class1 bool) bool {
	var key uint64
	for _, a := range by {
		key += hash(a)
	}
	p, known := g.index[key]
	switch {
	case !known:
		p = int32(len(g.by))
		g.index[key] = p
		g.by = append(g.by, by)
		g.costs = append(g.costs, [2]int64{})
	case !slices.Equal(by, g.by[p]):
		return false
	}
	class := 0
	if class1 {
		class = 1
	}
	g.costs[p][class] += cost
	return true
}

// hash of an antecedent, of which there are 2^16; those of a set are added.
func hash[T int32 | uint16](a T) uint64 { return mix(1<<16, uint64(a)) }

// symmetric checks a permutation against the definition: the image of every
// point is a point with the same costs. Distinct points have distinct images, so
// every point is one.
func (g *graph) symmetric(m Permutation) bool {
	g.work += 2 * g.visits
	clear(g.image)
	hashes := make([]uint64, len(m)) // of the images
	for a, b := range m {
		hashes[a] = hash(b)
	}
	for p, by := range g.by {
		var key uint64
		for _, a := range by {
			key += hashes[a]
			g.image[m[a]] = int32(p) + 1
		}
		q, known := g.index[key]
		if !known || g.costs[p] != g.costs[q] || len(g.by[q]) != len(by) {
			return false
		}
		for _, b := range g.by[q] {
			if g.image[b] != int32(p)+1 {
				return false
			}
		}
	}
	return true
}

func (g *graph) goesOn() bool { return g.work < g.limits.Work && g.limits.GoOn() }
