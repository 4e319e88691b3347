package separation

import (
	"cmp"
	"math/bits"
	"slices"
)

// Separation: sets whose inequality the present v violates.
//
// Only the rules with v > 0 and the points' z matter for the left side, so points
// are told apart by their label and the used rules that hold them, their profile.
// Of the points with one profile the one with the smallest z stands for
// all (its z may be 0 for many; the first few are kept, since they differ in the
// rules that are not used). All pairs of profiles are looked at. Larger sets
// grow greedily from the pairs whose left sides are smallest: a point that
// spoils the purity of more than it adds lowers the left side.

const (
	largestSet = 12
	tolerance  = 1e-3 // a violation that is worth a row
	mostUsed   = 64   // rules, by falling v
)

// separator finds violated sets for one v.
type separator struct {
	p *Problem
	c *Context
	l *Pool

	used     []used
	z        []float64 // by point
	profiles [2][]profile
	pairs    []scored
	rest     float64 // v of the used rules beyond mostUsed, not looked at
}

type used struct {
	rule  int32
	value float64
}

// profile is the points of one label that the same used rules hold.
type profile struct {
	held   uint64 // used rules, by place
	z      float64
	point  int32
	own    float64 // sum of v of held rules with the points' label
	copies []int32 // a few more points with z as small
}

type scored struct {
	left float64
	e, f int32 // profiles of label 1 and 0
}

// find adds violated sets to the pool and returns them. Values has v by
// variable of m.
func (s *separator) find(m *lp, values []float64, most int) (added []int32) {
	s.read(m, values)
	s.scorePairs()
	for _, x := range s.pairs {
		if len(added) >= most {
			break
		}
		if x.left < 1-tolerance {
			for _, k := range s.addPair(x) {
				added = append(added, k)
			}
		}
	}
	if len(added) >= most/2 {
		return added
	}
	for _, x := range s.pairs {
		if len(added) >= most {
			break
		}
		if set := s.grow(x); set != nil {
			if k, fresh := s.l.Add(set); fresh {
				added = append(added, k)
			}
		}
	}
	return added
}

// read takes in v: the used rules and the profiles.
func (s *separator) read(m *lp, values []float64) {
	s.used = s.used[:0]
	s.z = resize(s.z, len(s.p.cost))
	clear(s.z)
	for v, x := range values {
		switch {
		case v >= m.rules:
			s.z[m.name[v]] = x
		case x > 1e-6:
			s.used = append(s.used, used{m.name[v], x})
		}
	}
	slices.SortFunc(s.used, func(a, b used) int {
		return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(a.rule, b.rule))
	})
	s.rest = 0
	if len(s.used) > mostUsed {
		for _, u := range s.used[mostUsed:] {
			s.rest += u.value
		}
		s.used = s.used[:mostUsed]
	}
	s.profile()
}

func (s *separator) profile() {
	var at [2]map[uint64]int
	for q := range at {
		at[q] = map[uint64]int{}
		s.profiles[q] = s.profiles[q][:0]
	}
	for i, w := range s.c.Left {
		for ; w != 0; w &= w - 1 {
			e := int32(i*64 + bits.TrailingZeros64(w))
			q, z := s.p.label(e), s.z[e]
			held := s.held(e)
			k, ok := at[q][held]
			if !ok {
				at[q][held] = len(s.profiles[q])
				s.profiles[q] = append(s.profiles[q], profile{held: held, z: z, point: e, own: s.sum(held & s.of(q))})
				continue
			}
			x := &s.profiles[q][k]
			switch {
			case z < x.z-1e-9:
				x.z, x.point, x.copies = z, e, nil
			case z < x.z+1e-9 && len(x.copies) < 3:
				x.copies = append(x.copies, e)
			}
		}
	}
}

// held returns the used rules that hold a point.
func (s *separator) held(e int32) (held uint64) {
	row := s.p.row(e)
	for k, u := range s.used {
		col := u.rule >> 1
		held |= row[col/64] >> (col % 64) & 1 << k
	}
	return held
}

// of returns the used rules of a label.
func (s *separator) of(label int) (rules uint64) {
	for k, u := range s.used {
		if int(u.rule&1) == label {
			rules |= 1 << k
		}
	}
	return rules
}

func (s *separator) sum(rules uint64) (sum float64) {
	for ; rules != 0; rules &= rules - 1 {
		sum += s.used[bits.TrailingZeros64(rules)].value
	}
	return sum
}

// scorePairs finds the pairs of profiles with small left sides, smallest first.
func (s *separator) scorePairs() {
	const slack = 0.25
	one, zero := s.of(1), s.of(0)
	s.pairs = s.pairs[:0]
	for i := range s.profiles[1] {
		a := &s.profiles[1][i]
		if a.z >= 1+slack {
			continue
		}
		for j := range s.profiles[0] {
			b := &s.profiles[0][j]
			if a.z+b.z >= 1+slack {
				continue
			}
			left := a.z + b.z + s.sum(a.held&^b.held&one) + s.sum(b.held&^a.held&zero)
			if left < 1+slack {
				s.pairs = append(s.pairs, scored{left, int32(i), int32(j)})
			}
		}
	}
	slices.SortFunc(s.pairs, func(a, b scored) int {
		return cmp.Or(cmp.Compare(a.left, b.left), cmp.Compare(a.e, b.e), cmp.Compare(a.f, b.f))
	})
}

// addPair adds a pair of profiles as sets of points: of the points that stand
// for them the pair that the fewest live rules tell apart.
func (s *separator) addPair(x scored) (added []int32) {
	a, b := &s.profiles[1][x.e], &s.profiles[0][x.f]
	e, f, least := a.point, b.point, -1
	for i := -1; i < len(a.copies); i++ {
		for j := -1; j < len(b.copies); j++ {
			u, v := a.point, b.point
			if i >= 0 {
				u = a.copies[i]
			}
			if j >= 0 {
				v = b.copies[j]
			}
			if d := s.p.apart(s.c, u, v); least < 0 || d < least {
				e, f, least = u, v, d
			}
		}
	}
	if k, fresh := s.l.Add([]int32{e, f}); fresh {
		added = append(added, k)
	}
	return added
}

// grow returns a violated set that contains a pair, or nil.
func (s *separator) grow(x scored) []int32 {
	a, b := &s.profiles[1][x.e], &s.profiles[0][x.f]
	held := [2]uint64{b.held, a.held} // used rules that hold a point of either label
	set := []int32{b.point, a.point}
	left, rules := x.left, [2]uint64{s.of(0), s.of(1)}
	z := a.z + b.z
	for len(set) < largestSet {
		best, at, label := left-1e-6, -1, 0
		for q := range s.profiles {
			for i := range s.profiles[q] {
				y := &s.profiles[q][i]
				if z+y.z >= best {
					continue
				}
				with := held
				with[q] |= y.held
				pure := with[1]&^with[0]&rules[1] | with[0]&^with[1]&rules[0]
				if v := z + y.z + s.sum(pure); v < best {
					best, at, label = v, i, q
				}
			}
		}
		if at < 0 {
			break
		}
		y := &s.profiles[label][at]
		set, left, z = append(set, y.point), best, z+y.z
		held[label] |= y.held
	}
	if left > 1-tolerance || len(set) == 2 {
		return nil
	}
	return set
}
