package prune

import (
	"math/bits"

	"parcorels/bitvec"
	"parcorels/parallel"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/record"
)

// Pruning 8: a redundant rule. A rule that was worth its price when it was
// appended may have become useless through those behind it, which would
// capture most of its points as well.
//
// For a prefix B and each of its rules but the last, let A be B without that
// rule. A is one shorter, and by the argument of pruning 5 every completion of
// B is beaten by a strictly smaller list if
//
//	cost(A) + unit·Σ cost(e) over u(A)\u(B)  ≤  cost(B);
//
// equality will do, because A is shorter. (For the last rule this is the
// support bound, pruning 2, which was checked before.)
//
// The cost of A need not be known exactly: it is at most what the rules of A
// cost with the labels that they have in B, and then only the points S_i that
// rule i captures in B are predicted otherwise. Let W_i be the points that the
// rules behind i predict wrongly if they get them, and those that none of them
// captures. The condition holds if
//
//	unit·(cost(S_i∩W_i) − E_i)  ≤  price,
//
// where E_i is what rule i errs in B. Better labels would save
// little beside that (docs/tried.md). From the last rule to the first, W_i
// grows by what the rule behind i captures of the class that it does not predict,
// and shrinks by what it captures of the other. Most rules are needed, and most often
// that shows after a few words: each point of a word costs at least what its
// lightest point costs, so words are looked at in falling order of that, before
// anything is counted exactly.
//
// With more than two classes, let rules of a prefix keep their labels, and
// leave rule i out. Each later rule gets some of the points that it captured, and gains them by its
// own label; the others cost what they cost at most. If that is no more than what rule i errs and its
// price, every completion is beaten by a shorter list.

// redundancy is a worker's part of it.
type redundancy struct {
	p       *problem.Problem
	proof   *record.Recorder
	account parallel.Allowance
	wrong   []uint64 // points that later rules of the prefix predict wrongly
	labels  []uint16 // of a prefix, of more than two classes
}

func newRedundancy(x *Context) any {
	return &redundancy{
		p: x.P, proof: x.Proof, account: parallel.NewAllowance(3*x.P.Words, overheadSteps), wrong: make([]uint64, x.P.Words),
	}
}

// expanded notes what an expansion took, in steps of the counting kernel.
func (r *redundancy) expanded(steps int64) { r.account.Expanded(steps) }

// closesSet reports whether f's prefix has a rule that it is better without.
func (r *redundancy) closesSet(f *Frame) bool {
	p := r.p
	if f.Depth < 2 || !r.account.Affords() {
		return false
	}
	if p.Classes != nil {
		i, ok := r.redundantClass(f)
		if ok {
			r.account.Earn()
			r.proof.Redundant(f.Prefix, i)
		}
		return ok
	}
	copy(r.wrong, p.All)
	for i := f.Depth - 2; i >= 0; i-- {
		mispredict(p, r.wrong, f.Prefix[i+1], f.Labels[i+1])
		if redundantRule(p, f, i, r.wrong) {
			r.account.Earn()
			r.proof.Redundant(f.Prefix, i)
			return true
		}
	}
	return false
}

// mispredict turns W of the rule (col, label) into W of the rule before it.
func mispredict(p *problem.Problem, wrong []uint64, col problem.Column, label bool) {
	c, n := p.Columns[col], p.In.Words1
	if label {
		bitvec.AndNot(wrong[:n], wrong[:n], c[:n])
		bitvec.Or(wrong[n:], wrong[n:], c[n:])
	} else {
		bitvec.Or(wrong[:n], wrong[:n], c[:n])
		bitvec.AndNot(wrong[n:], wrong[n:], c[n:])
	}
}

// redundantRule decides the condition for rule i, whose W is wrong.
func redundantRule(p *problem.Problem, f *Frame, i int, wrong []uint64) bool {
	room := (f.Costs[i+1] - f.Costs[i]) / p.Unit // price and what rule i errs
	before, col := f.Before[i], p.Columns[f.Prefix[i]]
	if exceeds(p, before, col, wrong, room) {
		return false
	}
	a, b := p.Planes.CostAnd3(before, col, wrong)
	return a+b <= room
}

// exceeds reports whether a∩b∩c is seen to cost more than most without counting
// it exactly.
func exceeds(p *problem.Problem, a, b, c []uint64, most int64) bool {
	for _, w := range p.HeavyFirst {
		most -= int64(bits.OnesCount64(a[w.Index]&b[w.Index]&c[w.Index])) * w.Lightest
		if most < 0 {
			return true
		}
	}
	return false
}

// redundantClass reports whether f's prefix has a rule that it is better without, and which.
func (r *redundancy) redundantClass(f *Frame) (rule int, ok bool) {
	p := r.p
	last := f.Depth - 1
	r.labels = r.labels[:0]
	for i := range last {
		label, _ := p.Classes.Label(f.Before[i], p.Columns[f.Prefix[i]])
		r.labels = append(r.labels, label)
	}
	r.labels = append(r.labels, f.class)
	for i := last - 1; i >= 0; i-- {
		room := (f.Costs[i+1] - f.Costs[i]) / p.Unit // price and what rule i errs
		bitvec.And(r.wrong, f.Before[i], p.Columns[f.Prefix[i]])
		most, _ := p.Planes.Cost(r.wrong)
		for j := i + 1; j <= last && most > room; j++ {
			col := p.Columns[f.Prefix[j]]
			gain, _ := p.Classes.Gains[r.labels[j]].CostAnd(r.wrong, col)
			most -= gain
			bitvec.AndNot(r.wrong, r.wrong, col)
		}
		if most <= room {
			return i, true
		}
	}
	return 0, false
}
