package search

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
// where E_i is what rule i errs in B. What better labels would save beside that
// is not worth its while (docs/tried.md). From the last rule to the first, W_i
// grows by what the rule behind i captures of the class that it does not predict,
// and shrinks by what it captures of the other. Most rules are needed, and most often
// that shows after a few words: each point of a word costs at least what its
// lightest point costs, so words are looked at in falling order of that, before
// anything is counted exactly.

// redundancy is a worker's part of it.
type redundancy struct {
	p       *problem.Problem
	proof   *record.Recorder
	account parallel.Allowance
	wrong   []uint64 // points that later rules of the prefix predict wrongly
	labels  []uint16 // of a prefix, of more than two classes
}

func newRedundancy(p *problem.Problem, log *record.Recorder) redundancy {
	return redundancy{
		p: p, proof: log, account: parallel.NewAllowance(3*p.Words, overheadSteps), wrong: make([]uint64, p.Words),
	}
}

// in reports whether f's prefix has a rule that it is better without.
func (r *redundancy) in(f *frame) bool {
	p := r.p
	if !p.Uses(problem.Redundant) || f.depth < 2 || !r.account.Affords() {
		return false
	}
	if p.Classes != nil {
		i, ok := r.redundantClass(f)
		if ok {
			r.account.Earn()
			r.proof.Redundant(f.prefix, i)
		}
		return ok
	}
	copy(r.wrong, p.All)
	for i := f.depth - 2; i >= 0; i-- {
		mispredict(p, r.wrong, f.prefix[i+1], f.labels[i+1])
		if redundantRule(p, f, i, r.wrong) {
			r.account.Earn()
			r.proof.Redundant(f.prefix, i)
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
func redundantRule(p *problem.Problem, f *frame, i int, wrong []uint64) bool {
	room := (f.costs[i+1] - f.costs[i]) / p.Unit // price and what rule i errs
	before, col := f.before[i], p.Columns[f.prefix[i]]
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
