package prune

import (
	"math/bits"
	"slices"

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
// the good ones are met first), and against those that were expanded last, by itself or by others (posts.go): most of
// what a scan of everything expanded would find is among them.

// dominators are the prefixes that one worker holds others against.
type dominators struct {
	p      *problem.Problem
	proof  *record.Recorder
	list   *dominatorList // hot prefixes, then those expanded last; nil before the first
	most   int            // hot prefixes that there may be
	hot    int            // that there are
	next   int            // place of one expanded last that is overwritten next, behind those of hot ones
	prog   bitvec.Program // of the prefix at hand, with its cost in whole errors
	budget int64
	spare  []uint64
	swap   []uint64
	posts  reader // of other workers

	glance parallel.Allowance
	whole  parallel.Allowance
}

func newDominators(x *Context) any {
	p, most := x.P, listLen(x.P, hotLen)
	return &dominators{
		p: p, proof: x.Proof, most: most, next: most, glance: glanceAllowance(p.Words),
		whole: wholeAllowance(listsLen(p, len(x.Posts)), p.Words), posts: newReader(x.Posts, x.Worker),
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
	if i := d.find(f); i >= 0 {
		d.glance.Earn()
		d.whole.Earn()
		if d.proof != nil {
			d.proof.Dominated(f.Prefix, d.list.prefix(i))
		}
		d.promote(i)
		return true
	}
	if d.list == nil {
		d.list = newDominatorList(listsLen(p, len(d.posts.all)), p.Words)
	}
	x := posted{f.U, f.Cost, f.Depth, f.Prefix}
	d.keep(&x)
	d.posts.post(&x)
	if d.whole.Pays() {
		d.posts.read(d.keep)
	}
	return false
}

// keep puts a prefix in the place of the one that was put there before all others.
func (d *dominators) keep(x *posted) {
	d.list.set(d.next, x, x.cost/d.p.Unit)
	if d.next++; d.next == len(d.list.cost) {
		d.next = d.most
	}
}

// expanded notes what an expansion took, in steps of the counting kernel.
func (d *dominators) expanded(steps int64) {
	d.glance.Expanded(steps)
	d.whole.Expanded(steps)
}

// find returns the place of a dominator of f's prefix, as far as the allowance goes, or −1.
func (d *dominators) find(f *Frame) int {
	if d.list == nil {
		return -1
	}
	if i := d.list.find(d, d.p, f, 0, headBlocks); i >= 0 || !d.whole.Affords() {
		return i
	}
	return d.list.find(d, d.p, f, headBlocks, len(d.list.cost)/bitvec.Lanes)
}

// promote makes an entry a hot one, and moves it half-way to the front.
func (d *dominators) promote(i int) {
	if i >= d.most {
		last := min(d.hot, d.most-1)
		d.list.exchange(i, last, d)
		i, d.hot = last, min(d.hot+1, d.most)
		d.posts.post(&posted{d.spare, d.list.cost[i], d.list.depth[i], d.list.prefixes[i*tieDepth : (i+1)*tieDepth]})
	}
	d.list.exchange(i, i/2, d)
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
		spent:    slices.Repeat([]int64{bitvec.Unspent}, n),
		cost:     make([]int64, n),
		depth:    make([]int, n),
		prefixes: make([]problem.Column, n*tieDepth),
	}
}

func (l *dominatorList) prefix(i int) []problem.Column { return l.prefixes[i*tieDepth:][:l.depth[i]] }

// listsLen is how many prefixes one of so many workers holds others against. Those of others come among its own, so with
// several the list of those expanded last is twice as long.
func listsLen(p *problem.Problem, workers int) int {
	recent := recentLen
	if workers > 1 {
		recent *= 2
	}
	return listLen(p, hotLen) + listLen(p, recent)
}

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
	for to = min(to, len(l.cost)/bitvec.Lanes); from < to; from++ {
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
func (l *dominatorList) set(i int, x *posted, spent int64) {
	l.sets.Set(i, x.set)
	l.cost[i], l.spent[i], l.depth[i] = x.cost, spent, x.depth
	copy(l.prefixes[i*tieDepth:(i+1)*tieDepth], x.prefix)
}

// exchange has two entries trade places. The set of the former is in d.spare then.
func (l *dominatorList) exchange(i, j int, d *dominators) {
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
