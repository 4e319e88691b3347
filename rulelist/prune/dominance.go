package prune

import (
	"math/bits"

	"parcorels/bitvec"
	"parcorels/parallel"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/record"
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
// A worker holds B, when it is about to expand it, against a list of
// prefixes that dominated others before (a hit moves half-way to the front, so
// the good ones are met first), and against those that it expanded last: most of
// what a scan of everything expanded would find is among them.

// dominators are the prefixes that one worker holds others against.
type dominators struct {
	p      *problem.Problem
	proof  *record.Recorder
	hot    *dominatorList // nil before one has dominated another
	recent *dominatorList // those expanded last; nil before the first
	next   int            // place of recent that is overwritten next
	prog   bitvec.Program // of the prefix at hand, with its cost in whole errors
	budget int64
	spare  []uint64
	swap   []uint64

	glance parallel.Allowance
	whole  parallel.Allowance
	by     []problem.Column // who dominated last, as columns, with a proof
}

func newDominators(x *Context) any {
	p := x.P
	return &dominators{
		p: p, proof: x.Proof, glance: glanceAllowance(p.Words),
		whole: wholeAllowance(listLen(p, hotLen)+listLen(p, recentLen), p.Words),
		spare: make([]uint64, p.Words), swap: make([]uint64, p.Words),
	}
}

// closesSet reports whether f's prefix is dominated; if not, it becomes one to
// compare others with.
func (d *dominators) closesSet(f *Frame) bool {
	p := d.p
	if f.Depth == 0 || !d.glance.Affords() {
		return false
	}
	p.Planes.CompileComplement(&d.prog, f.U)
	d.budget = f.Cost / p.Unit
	if d.find(p, f) {
		d.glance.Earn()
		d.whole.Earn()
		d.proof.Dominated(f.Prefix, d.by)
		return true
	}
	if d.recent == nil {
		d.recent = newDominatorList(listLen(p, recentLen), p.Words)
	}
	d.recent.set(d.next, p, f)
	d.next = (d.next + 1) % len(d.recent.cost)
	return false
}

// expanded notes what an expansion took, in steps of the counting kernel.
func (d *dominators) expanded(steps int64) {
	d.glance.Expanded(steps)
	d.whole.Expanded(steps)
}

// find looks for a dominator of f's prefix, as far as the allowance goes.
func (d *dominators) find(p *problem.Problem, f *Frame) bool {
	if d.findHot(p, f, 0, headBlocks) {
		return true
	}
	if !d.whole.Affords() {
		return false
	}
	if d.findHot(p, f, headBlocks, hotLen/bitvec.Lanes) {
		return true
	}
	if d.recent == nil {
		return false
	}
	i := d.recent.find(d, p, f, 0, recentLen/bitvec.Lanes)
	if i < 0 {
		return false
	}
	d.name(d.recent, i)
	if d.hot == nil {
		d.hot = newDominatorList(listLen(p, hotLen), p.Words)
	}
	d.hot.take(d.recent, i, d)
	return true
}

// findHot looks in some blocks of the hot list.
func (d *dominators) findHot(p *problem.Problem, f *Frame, from, to int) bool {
	if d.hot == nil {
		return false
	}
	i := d.hot.find(d, p, f, from, to)
	if i < 0 {
		return false
	}
	d.name(d.hot, i)
	d.hot.promote(i, d)
	return true
}

// name keeps the prefix of an entry for the proof.
func (d *dominators) name(l *dominatorList, i int) {
	if d.proof != nil {
		d.by = append(d.by[:0], l.prefix(i)...)
	}
}

// dominatorList holds remaining sets as the columns of a matrix.
//
// The kernel adds in whole errors, so a cost c is rounded to floor(c/unit) on
// both sides of the condition. That finds every case in which the condition or
// its equality holds: from cost(A)/unit + x ≤ cost(B)/unit with an integer x
// follows floor(cost(A)/unit) + x ≤ floor(cost(B)/unit). What it finds too
// many of, the exact test drops.
type dominatorList struct {
	sets     *bitvec.Matrix
	n        int
	spent    []int64 // floor(cost/unit); bitvec.Unspent for a free place
	cost     []int64
	depth    []int
	prefixes []problem.Column // tieDepth places for the columns of each
}

// tieDepth is the length up to which prefixes are kept for the comparison of
// ties and for the proof; a longer dominator does not win a tie of equal
// length, and none at all where the proof must name it.
const tieDepth = 32

func newDominatorList(n, words int) *dominatorList {
	return &dominatorList{
		sets:     bitvec.NewMatrix(n, words),
		spent:    make([]int64, n),
		cost:     make([]int64, n),
		depth:    make([]int, n),
		prefixes: make([]problem.Column, n*tieDepth),
	}
}

// has makes i, which is n at most, the place of an entry. Those behind it in its block are free.
func (l *dominatorList) has(i int) {
	if i < l.n {
		return
	}
	l.n = i + 1
	for j := l.n; j < len(l.spent) && j%bitvec.Lanes != 0; j++ {
		l.spent[j] = bitvec.Unspent
	}
}

func (l *dominatorList) prefix(i int) []problem.Column { return l.prefixes[i*tieDepth:][:l.depth[i]] }

// listLen shortens a list of sets so that it stays within listBytes, whatever
// the number of points.
func listLen(p *problem.Problem, n int) int {
	fits := listBytes / (8 * max(p.Words, 1)) / bitvec.Lanes * bitvec.Lanes
	return min(n, max(fits, bitvec.Lanes))
}

const (
	hotLen    = 256
	recentLen = 512
	listBytes = 2 << 20
)

// find returns the index of an entry in some blocks that dominates f's prefix,
// or −1.
func (l *dominatorList) find(d *dominators, p *problem.Problem, f *Frame, from, to int) int {
	to = min(to, (l.n+bitvec.Lanes-1)/bitvec.Lanes)
	for ; from < to; from++ {
		block, lanes := l.sets.FirstWithin(&d.prog, from, to, l.spent, d.budget)
		for ; lanes != 0; lanes &= lanes - 1 {
			if j := block*bitvec.Lanes + bits.TrailingZeros8(lanes); l.smaller(j, d, p, f) {
				return j
			}
		}
		from = block
	}
	return -1
}

// smaller decides the condition exactly, ties included.
func (l *dominatorList) smaller(i int, d *dominators, p *problem.Problem, f *Frame) bool {
	if d.proof != nil && l.depth[i] > tieDepth || p.Limited && l.depth[i] > f.Depth {
		return false // with a limit of rules a longer prefix has fewer completions
	}
	l.sets.Get(d.spare, i)
	e1, e0 := p.Planes.CostAndNot(d.spare, f.U)
	a, b := l.cost[i]+p.Unit*(e1+e0), f.Cost
	switch {
	case a != b:
		return a < b
	case l.depth[i] != f.Depth:
		return l.depth[i] < f.Depth
	}
	return f.Depth <= tieDepth && p.LexLess(l.prefix(i), f.Prefix)
}

// set overwrites entry i.
func (l *dominatorList) set(i int, p *problem.Problem, f *Frame) {
	l.sets.Set(i, f.U)
	l.cost[i], l.spent[i] = f.Cost, f.Cost/p.Unit
	l.depth[i] = f.Depth
	copy(l.prefixes[i*tieDepth:(i+1)*tieDepth], f.Prefix)
	l.has(i)
}

// promote moves entry i half-way to the front.
func (l *dominatorList) promote(i int, d *dominators) {
	j := i / 2
	if i == j {
		return
	}
	l.sets.Get(d.spare, i)
	l.sets.Get(d.swap, j)
	l.sets.Set(i, d.swap)
	l.sets.Set(j, d.spare)
	l.cost[i], l.cost[j] = l.cost[j], l.cost[i]
	l.spent[i], l.spent[j] = l.spent[j], l.spent[i]
	l.depth[i], l.depth[j] = l.depth[j], l.depth[i]
	for k := range tieDepth {
		x, y := &l.prefixes[i*tieDepth+k], &l.prefixes[j*tieDepth+k]
		*x, *y = *y, *x
	}
}

// take copies entry i of another list in, over the last one if l is full, and
// promotes it.
func (l *dominatorList) take(from *dominatorList, i int, d *dominators) {
	j := min(l.n, len(l.cost)-1)
	from.sets.Get(d.spare, i)
	l.sets.Set(j, d.spare)
	l.cost[j], l.spent[j], l.depth[j] = from.cost[i], from.spent[i], from.depth[i]
	copy(l.prefixes[j*tieDepth:(j+1)*tieDepth], from.prefixes[i*tieDepth:])
	l.has(j)
	l.promote(j, d)
}
