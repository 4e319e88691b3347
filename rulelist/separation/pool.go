package separation

import "slices"

// Pool holds sets of points that hold two labels at least, each once, and the rules
// that are pure on each. It only grows. It is not safe for use by several
// goroutines while one adds.
type Pool struct {
	p       *Problem
	start   []int32 // set k is members[start[k]:start[k+1]], ascending
	members []Point
	pure    []uint64 // of set i from k·width·i: columns pure of label 0, then of label 1, and so on
	known   map[string]int32
	key     []byte
}

// NewPool returns an empty pool.
func (p *Problem) NewPool() *Pool {
	return &Pool{p: p, start: []int32{0}, known: map[string]int32{}}
}

// Len returns the number of sets.
func (l *Pool) Len() int { return len(l.start) - 1 }

// Set returns the points of a set, ascending.
func (l *Pool) Set(k int32) []Point { return l.members[l.start[k]:l.start[k+1]] }

// Bytes returns about how much memory the pool takes.
func (l *Pool) Bytes() int64 {
	return int64(len(l.pure))*8 + int64(len(l.members))*8 + int64(len(l.start))*64
}

// pureOn returns the columns that are pure of a label on set k.
func (l *Pool) pureOn(k int32, label int) []uint64 {
	w := l.p.width
	at := (l.p.labels*int(k) + label) * w
	return l.pure[at : at+w]
}

// Add adds a set of points and returns its number and whether it is new. The
// set must hold points of two labels; Add keeps no reference to it.
func (l *Pool) Add(set []Point) (int32, bool) {
	set = slices.Clone(set)
	slices.Sort(set)
	set = slices.Compact(set)
	l.key = l.key[:0]
	for _, e := range set {
		l.key = append(l.key, byte(e), byte(e>>8), byte(e>>16), byte(e>>24))
	}
	if k, ok := l.known[string(l.key)]; ok {
		return k, false
	}
	k := int32(l.Len())
	l.known[string(l.key)] = k
	l.members = append(l.members, set...)
	l.start = append(l.start, int32(len(l.members)))
	l.purify(set)
	return k, true
}

// purify appends the columns that are pure on a set: of those that hold a point of it,
// the ones that hold points of one label only.
func (l *Pool) purify(set []Point) {
	p := l.p
	at := len(l.pure)
	l.pure = append(l.pure, make([]uint64, p.labels*p.width)...)
	pure := l.pure[at:]
	for _, e := range set {
		of := pure[p.label(e)*p.width:][:p.width]
		for i, w := range p.row(e) {
			of[i] |= w
		}
	}
	for i := range p.width {
		var once, twice uint64
		for q := range p.labels {
			w := pure[q*p.width+i]
			twice |= once & w
			once |= w
		}
		for q := range p.labels {
			pure[q*p.width+i] &^= twice
		}
	}
}
