package search

import (
	"math/bits"

	"parcorels/bitvec"
	"parcorels/parallel"
)

// Pruning 8: a better sibling. This is pruning 5 between two children of one
// prefix, where the parent's counts make it cheap and where it need wait for
// nobody to be expanded.
//
// Let s and t be rules behind P, which leaves u, with errors e(s) and e(t).
// Replace t by s in any completion of P+t: what t captured and s does not is
// left to the rules behind it and errs by at most its cost. So if
//
//	e(s) + Σ cost(e) over (t∩u)\s  <  e(t)
//
// the list with s is strictly smaller; on equality the two may tie in
// objective and are of equal length, and then it is smaller if s has the
// smaller antecedent index. It takes no search to find: a rule that another
// rule contains and that errs no less (of the mined conjunctions of real data,
// most are like that somewhere) is never tried in the contexts where this
// holds.
//
// The condition implies e(s) ≤ e(t) and that s gains at least what t gains,
// which one pass over the counts tells. What is left of t∩u outside such an s
// is counted against the complements of the columns, and kernels give up on a
// block as soon as every s in it has left more than e(t) − e(s).
//
// Most columns that have a better sibling have it in the same block as the last
// time, so that block is tried first of all. The scan of all blocks is kept for
// the children that would otherwise be inserted: it costs more than look-ahead,
// which closes most of those that it would drop.

// siblings is a worker's part of it. One account is for the block that held the last
// better sibling, one for all blocks.
type siblings struct {
	p     *problem
	run   *parallel.Run
	proof *proofLog
	*scratch
	rivals     []uint16 // of each column, the block that held its last better sibling
	known, any parallel.Allowance
}

func newSiblings(s *search, p *problem, b *scratch, log *proofLog) siblings {
	steps := p.planes.PlaneWords()
	return siblings{
		p: p, run: s.run, proof: log, scratch: b, rivals: make([]uint16, p.padded()),
		known: parallel.NewAllowance(blockSteps+3*p.words/2, steps+lookAheadSteps),
		any:   parallel.NewAllowance(p.outside.Blocks()*(blockSteps/2+steps/4), overheadSteps),
	}
}

// expanded notes the steps of an expansion. A known sibling saves look-ahead, which
// no expansion is needed for.
func (b *siblings) expanded(steps int64) { b.any.Expanded(steps) }

// hasKnown reports whether the block that last held a better sibling of
// the same column holds one now that makes c useless behind f.
func (b *siblings) hasKnown(f *frame, c *child) bool {
	if !b.p.uses(Sibling) || !b.known.Affords() {
		return false
	}
	b.captures(f, c)
	known := int(b.rivals[c.col])
	_, lanes := b.p.outside.FirstWithin(&b.prog, known, known+1, f.errors, f.errors[c.col])
	if !b.anyBetter(f, c, known, lanes) {
		return false
	}
	b.known.Earn()
	return true
}

// hasBetter reports whether any other column makes c useless behind f.
func (b *siblings) hasBetter(f *frame, c *child) bool {
	if !b.p.uses(Sibling) || !b.any.Affords() {
		return false
	}
	b.captures(f, c)
	outside, budget := b.p.outside, f.errors[c.col]
	bitvec.Rivals(b.mask, f.errors, f.gains, budget, f.gains[c.col])
	blocks, slice := outside.Blocks(), outside.Slice()
	for from := 0; from < blocks && b.run.Running(); {
		to := min(from+slice, blocks)
		block, lanes := outside.FirstWithinAmong(&b.prog, from, to, b.mask, f.errors, budget)
		if b.anyBetter(f, c, block, lanes) {
			b.rivals[c.col] = uint16(block)
			b.any.Earn()
			return true
		}
		from = min(block+1, to)
	}
	return false
}

// captures compiles what c's last rule captures behind f.
func (b *siblings) captures(f *frame, c *child) {
	f.compare(b.p)
	bitvec.And(b.set, f.u, b.p.columns[c.col])
	b.p.planes.CompileWhole(&b.prog, b.set)
}

// compare fills in the errors and gains of every column as a rule, once a frame.
func (f *frame) compare(p *problem) {
	if f.compared {
		return
	}
	f.compared = true
	bitvec.BestLabels(f.errors, f.gains, f.g1, f.g0)
	for col := len(p.antecedents); col < len(f.errors); col++ {
		f.errors[col] = bitvec.Unspent
	}
}

// anyBetter looks among some columns of one block that meet the condition or
// its equality.
func (b *siblings) anyBetter(f *frame, c *child, block int, lanes uint8) bool {
	for ; lanes != 0; lanes &= lanes - 1 {
		s := block*bitvec.Lanes + bits.TrailingZeros8(lanes)
		if s != c.col && b.isBetter(f, s, c.col) {
			b.proof.bySibling(c.col, s)
			return true
		}
	}
	return false
}

// isBetter decides between equality and less for an s that meets one of
// the two.
func (b *siblings) isBetter(f *frame, s, t int) bool {
	p := b.p
	if p.antecedents[s] < p.antecedents[t] {
		return true
	}
	e1, e0 := p.planes.CostAndNot(b.set, p.columns[s])
	return f.errors[s]+e1+e0 < f.errors[t]
}
