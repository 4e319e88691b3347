package rulelist

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"
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

// group is some samples while they are put together.
type group struct {
	list    []uint16
	weights gains
}

func (g *group) share() int64 { return g.weights[g.weights.label()] - g.weights[1-g.weights.label()] }

func newGroups(s *samples) *groups {
	found := s.divide()
	g := &groups{}
	for _, x := range found {
		g.base += x.weights.errors()
	}
	found = slices.DeleteFunc(found, func(x group) bool { return x.share() == 0 })
	slices.SortStableFunc(found, func(x, y group) int {
		return cmp.Or(cmp.Compare(x.weights.label(), y.weights.label()), cmp.Compare(x.share(), y.share()))
	})
	words := (len(found) + 63) / 64
	g.all, g.captured = make([]uint64, words), make([][]uint64, len(s.captured))
	for a := range g.captured {
		g.captured[a] = make([]uint64, words)
		g.every = append(g.every, a)
	}
	for _, x := range found {
		g.add(&x)
	}
	g.first = append(g.first, len(g.satisfied))
	g.cut()
	return g
}

// divide puts the samples together.
func (s *samples) divide() (found []group) {
	l := s.lists()
	known := map[string]int{}
	var key []byte
	for i := range s.n {
		key = key[:0]
		for _, a := range l.at(i) {
			key = binary.LittleEndian.AppendUint16(key, a)
		}
		g, ok := known[string(key)]
		if !ok {
			g = len(found)
			known[string(key)] = g
			found = append(found, group{list: l.at(i)})
		}
		found[g].weights[s.label(i)] += s.weight(i)
	}
	return found
}

// lists returns the antecedents that each sample satisfies.
func (s *samples) lists() (l lists) {
	l.first = make([]int, s.n+1)
	for _, c := range s.captured {
		for i := range members(c) {
			l.first[i+1]++
		}
	}
	for i := range s.n {
		l.first[i+1] += l.first[i]
	}
	l.satisfied = make([]uint16, l.first[s.n])
	next := slices.Clone(l.first)
	for a, c := range s.captured {
		for i := range members(c) {
			l.satisfied[next[i]] = uint16(a)
			next[i]++
		}
	}
	return l
}

// add makes x the next group.
func (g *groups) add(x *group) {
	i, heavy := len(g.share), x.weights.label()
	g.share, g.heavy = append(g.share, x.share()), append(g.heavy, uint8(heavy))
	g.costs[heavy] += x.share()
	g.first = append(g.first, len(g.satisfied))
	g.satisfied = append(g.satisfied, x.list...)
	g.all[i>>6] |= 1 << (i & 63)
	for _, a := range x.list {
		g.captured[a][i>>6] |= 1 << (i & 63)
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

// members yields the members of a set in ascending order.
func members(set []uint64) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for k, w := range set {
			for ; w != 0; w &= w - 1 {
				if !yield(k<<6 + bits.TrailingZeros64(w)) {
					return
				}
			}
		}
	}
}
