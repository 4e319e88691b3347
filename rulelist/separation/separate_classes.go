package separation

import (
	"cmp"
	"parcorels/internal/order"
	"slices"
)

// Separation of more than two labels (separate.go): the same by one goroutine, of all pairs of
// profiles of different labels.

// classPairs are buffers.
type classPairs struct {
	pairs []classPair
	held  []uint64 // by label, used rules that hold a point of a set that grows
}

// classPair are two profiles of different labels with the left side of their pair.
type classPair struct {
	left   float64
	labels [2]int32
	at     [2]int32
}

func (x classPair) compare(y classPair) int {
	return cmp.Or(cmp.Compare(x.left, y.left), slices.Compare(x.labels[:], y.labels[:]), slices.Compare(x.at[:], y.at[:]))
}

// findClasses does what find does once v is read.
func (s *separator) findClasses(most int) (added []int32) {
	s.scoreClasses()
	pairs := s.classes.pairs
	violated := 0
	for violated < len(pairs) && pairs[violated].left < 1-tolerance {
		violated++
	}
	for _, x := range pairs[:violated] {
		if len(added) >= most {
			break
		}
		added = append(added, s.addClassPair(x, max(1, most/violated))...)
	}
	if len(added) >= most/2 {
		return added
	}
	misses := 0
	for _, x := range pairs {
		if len(added) >= most || misses >= mostMisses {
			break
		}
		misses++
		if set := s.growClasses(x); set != nil {
			if k, fresh := s.l.Add(set); fresh {
				added = append(added, k)
				misses = 0
			}
		}
	}
	return added
}

// scoreClasses finds the pairs of profiles with small left sides, smallest first.
func (s *separator) scoreClasses() {
	s.pure = s.pure[:0]
	for q := range s.p.labels {
		s.pure = append(s.pure, s.of(q))
	}
	x := &s.classes
	x.pairs, s.looked = x.pairs[:0], 0
	for a := range s.profiles {
		for b := range a {
			for i := range s.profiles[a] {
				s.scoreClass(a, b, i)
			}
		}
	}
	order.Sort(x.pairs, classPair.compare)
	x.pairs = x.pairs[:min(len(x.pairs), mostPairs)]
}

// scoreClass looks at the pairs of profile i of label a with those of label b.
func (s *separator) scoreClass(a, b, i int) {
	x := &s.profiles[a][i]
	for j := range s.profiles[b] {
		y := &s.profiles[b][j]
		s.looked++
		z := x.z + y.z
		if z >= 1+pairSlack {
			return // by rising z
		}
		if left := z + s.sum(x.held&^y.held&s.pure[a]|y.held&^x.held&s.pure[b]); left < 1+pairSlack {
			s.classes.pairs = append(s.classes.pairs, classPair{left, [2]int32{int32(a), int32(b)}, [2]int32{int32(i), int32(j)}})
		}
	}
	if len(s.classes.pairs) > 16*mostPairs {
		order.Sort(s.classes.pairs, classPair.compare)
		s.classes.pairs = s.classes.pairs[:mostPairs]
	}
}

// of returns the profiles of a pair.
func (x classPair) of(s *separator) (a, b *profile) {
	return &s.profiles[x.labels[0]][x.at[0]], &s.profiles[x.labels[1]][x.at[1]]
}

// addClassPair does what addPair does for two labels.
func (s *separator) addClassPair(x classPair, most int) (added []int32) {
	a, b := x.of(s)
	return s.addBetween(a.points, b.points, most)
}

// growClasses returns a violated set that contains a pair, or nil.
func (s *separator) growClasses(x classPair) []int32 {
	a, b := x.of(s)
	held := append(s.classes.held[:0], make([]uint64, s.p.labels)...)
	s.classes.held = held
	held[x.labels[0]], held[x.labels[1]] = a.held, b.held
	set := []int32{b.points[0], a.points[0]}
	left, z := x.left, a.z+b.z
	for len(set) < largestSet {
		best, at, label := left-1e-6, -1, 0
		for q := range s.profiles {
			for i := range s.profiles[q] {
				y := &s.profiles[q][i]
				if z+y.z >= best {
					break // by rising z
				}
				before := held[q]
				held[q] |= y.held
				v := z + y.z + s.sum(s.pureOf(held))
				held[q] = before
				if v < best {
					best, at, label = v, i, q
				}
			}
		}
		if at < 0 {
			break
		}
		y := &s.profiles[label][at]
		set, left, z = append(set, y.points[0]), best, z+y.z
		held[label] |= y.held
	}
	if left > 1-tolerance || len(set) == 2 {
		return nil
	}
	return set
}

// pureOf returns the used rules that are pure on a set, by the used rules that hold its points
// of each label.
func (s *separator) pureOf(held []uint64) (pure uint64) {
	var once, twice uint64
	for _, h := range held {
		twice |= once & h
		once |= h
	}
	for q, h := range held {
		pure |= h &^ twice & s.pure[q]
	}
	return pure
}
