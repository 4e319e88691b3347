package bitvec

// Survey is one pass over the counts g1[t], g0[t] of all columns t against a
// set whose points cost All1 and All0: which columns are alive, and what is
// the least that any of them can do. A column is alive when max(g1, g0) > Least.
type Survey struct {
	All1, All0, Least int64

	// Stop is the smallest min(g1,g0) + min(All1−g1, All0−g0) of an alive
	// column: what is paid when every point inside it and every point outside
	// it gets the cheaper class of its side. Far when none is alive.
	Stop int64
	// Class1 looks at the alive columns with g1 > Least as a choice of class 1,
	// Class0 at those with g0 > Least as one of class 0.
	Class1, Class0 Extremes
}

// Extremes are the smallest values over some columns of which class q is own
// and the other class other; Far when there is no such column.
type Extremes struct {
	Other int64 // min other
	Span  int64 // min (other − own)
}

// Far is larger than any cost, and small enough to add two of them.
const Far = int64(1) << 61

// Run surveys the columns 0..len(g1)−1. It sets the bits of the alive ones in
// alive, clears the others, and returns how many there are.
// len(alive)·64 ≥ len(g1) = len(g0), a multiple of 8.
func (s *Survey) Run(alive []uint64, g1, g0 []int64) (n int) {
	s.Stop = Far
	s.Class1, s.Class0 = Extremes{Far, Far}, Extremes{Far, Far}
	words := (len(g1) + 63) / 64
	clear(alive[words:])
	if words == 0 {
		return 0
	}
	return s.run(alive[:words], g1, g0[:len(g1)])
}

func (s *Survey) runGeneric(alive []uint64, g1, g0 []int64) (n int) {
	clear(alive)
	for t, a := range g1 {
		b := g0[t]
		if max(a, b) <= s.Least {
			continue
		}
		alive[t/64] |= 1 << (t % 64)
		n++
		s.Stop = min(s.Stop, min(a, b)+min(s.All1-a, s.All0-b))
		if a > s.Least {
			s.Class1.add(a, b)
		}
		if b > s.Least {
			s.Class0.add(b, a)
		}
	}
	return n
}

func (e *Extremes) add(own, other int64) {
	e.Other = min(e.Other, other)
	e.Span = min(e.Span, other-own)
}

// Cheap clears the bits of alive columns t with min(g1[t], g0[t]) ≥ room:
// out = alive of those below. It returns how many are left. out may be alive.
// Like Survey.Run, it takes a multiple of 8 columns.
func Cheap(out, alive []uint64, g1, g0 []int64, room int64) (n int) {
	words := (len(g1) + 63) / 64
	clear(out[words:])
	if words == 0 {
		return 0
	}
	return cheap(out[:words], alive[:words], g1, g0[:len(g1)], room)
}

func cheapGeneric(out, alive []uint64, g1, g0 []int64, room int64) (n int) {
	for w := range out {
		var m uint64
		hi := min(len(g1), w*64+64)
		for t := w * 64; t < hi; t++ {
			if min(g1[t], g0[t]) < room {
				m |= 1 << (t % 64)
			}
		}
		m &= alive[w]
		out[w] = m
		for ; m != 0; m &= m - 1 {
			n++
		}
	}
	return n
}
