package parallel

import (
	"slices"

	"parcorels/bitvec"
)

// Pruning 5: similar support (Theorem 18 of the CORELS paper, which its
// authors left unused, in its strongest form).
//
// Let prefix A leave the set u(A) and prefix B the set u(B). Give A the
// completion of B: in u(A)∩u(B) it predicts what it predicts behind B, and
// on u(A)\u(B) it errs by at most the cost of those points. So if
//
//	cost(A) + unit·Σ cost(e) over u(A)\u(B)  <  cost(B)
//
// every completion of B is beaten by a strictly smaller list. On equality the
// completed lists may tie in objective, and then A must be shorter than B, or
// as long and lexicographically smaller. A need not be alive.
//
// Every worker holds B, when it is about to expand it, against a list of
// prefixes that dominated others before (a hit moves half-way to the front, so
// the good ones are met first) and against those it expanded most recently.

const (
	hotLen    = 256
	recentLen = 512
)

// dominators are the prefixes that one worker holds others against.
type dominators struct {
	off    bool
	hot    dominatorList
	recent dominatorList
	next   int // place of the next recent one
	prog   bitvec.Program
	spare  []uint64
	terms  []int64 // per depth of a dominator: what the difference in length allows it to cost more
}

// dominatorList holds remaining sets as the columns of a matrix.
type dominatorList struct {
	sets   *bitvec.Matrix
	n      int
	errors []int64 // errors of the prefix
	depth  []int32
	prefix [][]uint16
}

func newDominatorList(n, words int) dominatorList {
	l := dominatorList{
		sets:   bitvec.NewMatrix(n, words),
		errors: make([]int64, n),
		depth:  make([]int32, n),
		prefix: make([][]uint16, n),
	}
	return l
}

func (d *dominators) init(p *problem) {
	if d.off = p.without.has(Similar); d.off {
		return
	}
	d.hot = newDominatorList(hotLen, p.words)
	d.recent = newDominatorList(recentLen, p.words)
	d.spare = make([]uint64, p.words)
}

// dominate reports whether f's prefix is dominated; if not, it becomes one to
// hold others against.
func (d *dominators) dominate(w *worker, f *frame) bool {
	w.expanded++
	if d.off || f.depth == 0 {
		return false
	}
	p := w.s.p
	errors := (f.cost - p.price*int64(f.depth)) / p.unit
	p.planes.CompileComplement(&d.prog, f.u)
	d.setTerms(p, f.depth)
	if i := d.hot.find(d, p, f, errors); i >= 0 {
		d.hot.promote(i, d.spare)
	} else if i := d.recent.find(d, p, f, errors); i >= 0 {
		d.hot.take(&d.recent, i, d.spare)
	} else {
		d.recent.set(d.next, f.u, errors, f.prefix)
		d.next = (d.next + 1) % recentLen
		return false
	}
	w.dominated++
	w.expanded--
	return true
}

// setTerms computes, for a dominator of each depth k, the largest difference
// of its excess cost and of the errors that it makes more than f's prefix for
// which the condition can hold, equality included when k ≤ depth:
// floor(price·(depth−k)/unit), or that of one less.
func (d *dominators) setTerms(p *problem, depth int) {
	for len(d.terms) <= depth+maxDeeper {
		d.terms = append(d.terms, 0)
	}
	for k := range d.terms {
		x := p.price * int64(depth-k)
		if k > depth {
			x--
		}
		d.terms[k] = floorDiv(x, p.unit)
	}
}

// maxDeeper is how much longer than a prefix its dominators may be.
const maxDeeper = 8

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// find returns the index of an entry that dominates f's prefix, or −1.
func (l *dominatorList) find(d *dominators, p *problem, f *frame, errors int64) int {
	var limits [bitvec.Lanes]int64
	for first := 0; first < l.n; first += bitvec.Lanes {
		possible := false
		for i := range limits {
			limits[i] = -1
			if j := first + i; j < l.n && int(l.depth[j]) < len(d.terms) {
				limits[i] = errors - l.errors[j] + d.terms[l.depth[j]]
				possible = possible || limits[i] >= 0
			}
		}
		if !possible {
			continue
		}
		lanes := l.sets.Within(&d.prog, first/bitvec.Lanes, &limits)
		for i := range limits {
			if lanes>>i&1 != 0 && l.smaller(first+i, d, p, f, errors) {
				return first + i
			}
		}
	}
	return -1
}

// smaller decides the condition exactly, ties included.
func (l *dominatorList) smaller(i int, d *dominators, p *problem, f *frame, errors int64) bool {
	l.sets.Get(d.spare, i)
	bitvec.AndNot(d.spare, d.spare, f.u)
	e1, e0 := p.planes.Cost(d.spare)
	a := p.unit*(l.errors[i]+e1+e0) + p.price*int64(l.depth[i])
	b := p.unit*errors + p.price*int64(f.depth)
	switch {
	case a != b:
		return a < b
	case int(l.depth[i]) != f.depth:
		return int(l.depth[i]) < f.depth
	}
	return p.lexLess(l.prefix[i], f.prefix)
}

// set overwrites entry i.
func (l *dominatorList) set(i int, u []uint64, errors int64, prefix []uint16) {
	l.sets.Set(i, u)
	l.errors[i], l.depth[i] = errors, int32(len(prefix))
	l.prefix[i] = append(l.prefix[i][:0], prefix...)
	l.n = max(l.n, i+1)
}

// promote moves entry i half-way to the front.
func (l *dominatorList) promote(i int, spare []uint64) {
	j := i / 2
	if i == j {
		return
	}
	other := slices.Clone(spare)
	l.sets.Get(spare, i)
	l.sets.Get(other, j)
	l.sets.Set(i, other)
	l.sets.Set(j, spare)
	l.errors[i], l.errors[j] = l.errors[j], l.errors[i]
	l.depth[i], l.depth[j] = l.depth[j], l.depth[i]
	l.prefix[i], l.prefix[j] = l.prefix[j], l.prefix[i]
}

// take copies entry i of another list in, over the last one if l is full, and
// promotes it.
func (l *dominatorList) take(from *dominatorList, i int, spare []uint64) {
	j := min(l.n, len(l.errors)-1)
	from.sets.Get(spare, i)
	l.set(j, spare, from.errors[i], from.prefix[i])
	l.promote(j, spare)
}
