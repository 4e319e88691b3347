package prune

import (
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
// rule i captures in B are predicted otherwise. Each later rule gets some of them, and
// gains them by its own label; what none gets costs what it costs at most. The condition holds if
//
//	unit·(cost(S_i) − Σ_j gain_j(S_i) − E_i)  ≤  price,
//
// where E_i is what rule i errs in B, and gain_j(S_i) is what rule j gains of what is left of S_i by then.
// Better labels would save little beside that (docs/tried.md).

// redundancy is a worker's part of it.
type redundancy struct {
	p       *problem.Problem
	proof   *record.Recorder
	account parallel.Allowance
	freed   []uint64 // what is left of S_i
	labels  []int    // of the prefix
}

func newRedundancy(x *Context) any {
	return &redundancy{
		p: x.P, proof: x.Proof, account: parallel.NewAllowance(3*x.P.Words, overheadSteps), freed: make([]uint64, x.P.Words),
	}
}

// expanded notes what an expansion took, in steps of the counting kernel.
func (r *redundancy) expanded(steps int64) { r.account.Expanded(steps) }

// closesSet reports whether f's prefix has a rule that it is better without.
func (r *redundancy) closesSet(f *Frame) bool {
	if f.Depth < 2 || !r.account.Affords() {
		return false
	}
	r.labels = r.labels[:0]
	for i, col := range f.Prefix {
		label, _, _ := r.p.Rule(f.Before[i], r.p.Antecedents[col])
		r.labels = append(r.labels, label)
	}
	for i := f.Depth - 2; i >= 0; i-- {
		if r.redundant(f, i) {
			r.account.Earn()
			r.proof.Redundant(f.Prefix, i)
			return true
		}
	}
	return false
}

// redundant decides the condition for rule i.
func (r *redundancy) redundant(f *Frame, i int) bool {
	p := r.p
	room := (f.Costs[i+1] - f.Costs[i]) / p.Unit // price and what rule i errs
	bitvec.And(r.freed, f.Before[i], p.Columns[f.Prefix[i]])
	most := p.Table.Cost(r.freed, r.freed)
	for j := i + 1; j < f.Depth && most > room; j++ {
		col := p.Columns[f.Prefix[j]]
		most -= p.GainOf(r.labels[j], r.freed, col)
		bitvec.AndNot(r.freed, r.freed, col)
	}
	return most <= room
}
