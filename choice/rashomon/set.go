package rashomon

import (
	"cmp"
	"slices"
)

// states are the sets of points of a graph, and the edges between them.
type states struct {
	*layout
	threshold int64    // beyond base
	sets      []uint64 // words of each state
	d         []int64  // of each state, the least cost of a prefix
	last      []int64  // of each state and class, what a default costs there
	edges     []edge
}

// Set is all good lists. It never changes, and may be asked by several goroutines.
type Set struct {
	states
	rest  []int64 // of each state, the least cost of going on by a rule; none where there is no edge
	first []int32 // where the edges of each state begin, and the end of the last

	// Complete reports that no limit made the threshold smaller than the one asked for.
	Complete bool
}

// graph is a graph before it is trimmed. d is exact for all states that a list goes through.
type graph struct {
	states
	from []int32 // where the edges of a state begin, −1 where it was not expanded
	to   []int32 // where they end
}

// points returns the points of a state, and defaults what predicting each class for all of them costs.
func (s *states) points(state int32) []uint64 {
	return s.sets[int(state)*s.words : (int(state)+1)*s.words]
}

func (s *states) defaults(state int32) []int64 {
	return s.last[int(state)*s.classes : (int(state)+1)*s.classes]
}

// stop returns the least cost of a default behind a rule: any class but its label.
func (s *states) stop(e *edge) int64 {
	least := int64(none)
	for c, cost := range s.defaults(e.child) {
		if c != int(e.label) {
			least = min(least, cost)
		}
	}
	return least
}

// empty calls f with each empty list that is good.
func (s *states) empty(f func(class int, cost int64)) {
	if len(s.d) == 0 {
		return
	}
	for c, cost := range s.defaults(0) {
		if s.within(cost) {
			f(c, cost)
		}
	}
}

// within reports whether a cost of the whole list is allowed.
func (s *states) within(cost int64) bool { return cost <= s.threshold }

// finish makes the set of a whole graph.
func (b *builder) finish() *Set {
	s := b.trim()
	s.Complete = true
	return s
}

// trim keeps the edges that are part of a list, and orders the states by size, the largest
// first: every edge leads to a smaller set, so that this order is one of the graph.
//
// An edge e = (u,s,q) is part of a list exactly if d(u) + c + the least of stopping behind e
// and going on stays within the threshold: the cheapest prefix to u, e and that completion are
// a plain list. All edges of that prefix are then kept, too.
func (g *graph) trim() *Set {
	s := &Set{states: states{layout: g.layout, threshold: g.threshold}}
	n := len(g.d)
	if n == 0 {
		s.first = []int32{0}
		return s
	}
	states := g.bySizes()
	edgesOf := func(i int32) []edge { return g.edges[max(g.from[i], 0):max(g.to[i], 0)] }
	rest, used := make([]int64, n), make([]bool, n)
	for _, i := range slices.Backward(states) {
		rest[i] = none
		for _, e := range edgesOf(i) {
			rest[i] = min(rest[i], e.cost+min(g.stop(&e), rest[e.child]))
		}
	}
	keeps := func(i int32, e *edge) bool {
		return used[i] && g.d[i]+e.cost+min(g.stop(e), rest[e.child]) <= g.threshold
	}
	used[states[0]] = true
	name := make([]int32, n)
	kept := states[:0]
	for _, i := range states {
		if !used[i] {
			continue
		}
		name[i] = int32(len(kept))
		kept = append(kept, i)
		for _, e := range edgesOf(i) {
			if keeps(i, &e) {
				used[e.child] = true
			}
		}
	}
	for _, i := range kept {
		s.sets, s.last = append(s.sets, g.points(i)...), append(s.last, g.defaults(i)...)
		s.d, s.rest = append(s.d, g.d[i]), append(s.rest, rest[i])
		s.first = append(s.first, int32(len(s.edges)))
		begin := len(s.edges)
		for _, e := range edgesOf(i) {
			if keeps(i, &e) {
				e.child = name[e.child]
				s.edges = append(s.edges, e)
			}
		}
		if begin == len(s.edges) {
			s.rest[len(s.rest)-1] = none
		}
		slices.SortFunc(s.edges[begin:], func(x, y edge) int {
			return cmp.Or(cmp.Compare(g.antecedents[x.column][0], g.antecedents[y.column][0]), cmp.Compare(x.label, y.label))
		})
	}
	s.first = append(s.first, int32(len(s.edges)))
	return s
}

// States returns the number of sets of points in the graph, Edges that of its rules.
func (s *Set) States() int { return len(s.d) }

// Edges returns the number of edges.
func (s *Set) Edges() int { return len(s.edges) }

// Threshold returns the largest objective of a list.
func (s *Set) Threshold() int64 { return s.threshold + s.base }

// Least returns the least objective of a list, and false if there is none.
func (s *Set) Least() (int64, bool) {
	least := int64(none)
	s.empty(func(_ int, cost int64) { least = min(least, cost) })
	if len(s.rest) > 0 {
		least = min(least, s.rest[0])
	}
	return least + s.base, least <= s.threshold
}

// out returns the edges of a state.
func (s *Set) out(state int32) []edge { return s.edges[s.first[state]:s.first[state+1]] }
