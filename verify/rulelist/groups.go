package rulelist

import (
	"cmp"
	"slices"

	"parcorels/verify/framing"
)

// groups are the samples put together, as all counts but those of the claimed
// list need them.
//
// Samples that satisfy the same antecedents get the same prediction from every
// list, so of such a group with weights w1 and w0 every list gets min(w1, w0)
// wrong at least, and |w1−w0| more if it predicts the lighter label. This is the
// group's share. Groups without one are left out.
//
// The others stand in the order of their heavier label and share. So most words of
// a set are of groups with one label and one share, which are counted at once.
type groups struct {
	of       []int32    // the group of each sample, −1 of one whose group is left out
	share    []int64    // of each group, positive
	heavy    []uint8    // its heavier label
	lists               // of the antecedents that its samples satisfy
	captured [][]uint64 // by antecedent
	segments []segment
	effort   int // of counting a set, roughly, in words

	base  int64    // Σ min(w1, w0) over all groups
	costs gains    // of the groups with a share, together
	all   []uint64 // these groups
	every []int    // antecedent
}

// segment is neighbouring words, [from, to), of groups with the same heavier
// label and the same share. Share is 0 if they have different ones.
type segment struct {
	from, to int
	heavy    uint8
	share    int64
}

// gains are the summed costs of the samples in a set whose group is of class 0
// and of class 1.
type gains [2]int64

func (g gains) sum() int64 { return g[0] + g[1] }

// errors is what the better label gets wrong.
func (g gains) errors() int64 { return min(g[0], g[1]) }

// share is what the other label gets wrong beyond that.
func (g gains) share() int64 { return g[g.label()] - g[1-g.label()] }

// label is the better label, 0 on a tie.
func (g gains) label() int {
	if g[1] > g[0] {
		return 1
	}
	return 0
}

// lists are lists of antecedents, one after the other.
type lists struct {
	first     []int // list i is satisfied[first[i]:first[i+1]], ascending
	satisfied []uint16
}

func (l *lists) at(i int) []uint16 { return l.satisfied[l.first[i]:l.first[i+1]] }

func newGroups(s *samples) *groups {
	found := framing.NewGroups(s.captured, s.n, 2, s.label, s.weight)
	weights := func(at int) gains { return gains{found.Weights[0][at], found.Weights[1][at]} }
	g := &groups{}
	var shared []int
	for at := range found.Len() {
		g.base += weights(at).errors()
		if weights(at).share() > 0 {
			shared = append(shared, at)
		}
	}
	slices.SortStableFunc(shared, func(i, j int) int {
		x, y := weights(i), weights(j)
		return cmp.Or(cmp.Compare(x.label(), y.label()), cmp.Compare(x.share(), y.share()))
	})
	found.Pick(shared)
	g.of, g.all, g.captured = found.Of, found.All(), found.Columns()
	for at := range found.Len() {
		w := weights(at)
		g.share, g.heavy = append(g.share, w.share()), append(g.heavy, uint8(w.label()))
		g.costs[w.label()] += w.share()
	}
	g.list()
	g.cut()
	return g
}

// list fills in the lists of antecedents.
func (g *groups) list() {
	g.first = make([]int, len(g.share)+1)
	for a, c := range g.captured {
		g.every = append(g.every, a)
		for i := range framing.Members(c) {
			g.first[i+1]++
		}
	}
	for i := range g.share {
		g.first[i+1] += g.first[i]
	}
	g.satisfied = make([]uint16, g.first[len(g.share)])
	next := slices.Clone(g.first)
	for a, c := range g.captured {
		for i := range framing.Members(c) {
			g.satisfied[next[i]] = uint16(a)
			next[i]++
		}
	}
}

// cut finds the segments.
func (g *groups) cut() {
	for k := range g.all {
		i, last := k<<6, min(k<<6+63, len(g.share)-1)
		s := segment{k, k + 1, g.heavy[i], g.share[i]}
		g.effort++
		if g.heavy[last] != s.heavy || g.share[last] != s.share {
			s.share = 0
			g.effort += mixedEffort
		}
		if n := len(g.segments); n > 0 && g.segments[n-1].share == s.share && g.segments[n-1].heavy == s.heavy {
			g.segments[n-1].to++
		} else {
			g.segments = append(g.segments, s)
		}
	}
}

// mixedEffort is how many words more a word of a mixed segment is like.
const mixedEffort = 20
