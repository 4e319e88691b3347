package prune

import (
	"slices"

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
// rule i captures in B are predicted otherwise. Let q be its label, and S_r the points of S_i that the
// first of the rules behind it that captures them gives label r. What none captures costs what it
// costs at most. So A costs more by what q gained of S_i \ S_q, less by what each other r gains of S_r, and
// the condition holds if
//
//	unit·(gain_q(S_i \ S_q) − Σ_r gain_r(S_r))  ≤  price.
//
// Sets of all points say what the rules behind rule i give each label. They grow by one rule at a time, so a
// rule takes a pass for each label that the prefix has. With two labels one set does: the points that the rules behind rule i
// label wrongly. Those of them in S_i may cost as much as rule i did, with its errors.
// Better labels would save little beside that (docs/tried.md).

// redundancy is a worker's part of it.
type redundancy struct {
	p       *problem.Problem
	proof   *record.Recorder
	account parallel.Allowance
	kinds   []int      // the different labels of the prefix's rules, of more than two
	others  [][]uint64 // by label, the points that the rules behind the one at hand do not give it; [0] of two labels: wrong ones
}

func newRedundancy(x *Context) any {
	r := &redundancy{p: x.P, proof: x.Proof, account: parallel.NewAllowance(3*x.P.Words, overheadSteps)}
	for range x.P.Labels {
		r.others = append(r.others, make([]uint64, x.P.Words))
	}
	return r
}

// expanded notes what an expansion took, in steps of the counting kernel.
func (r *redundancy) expanded(steps int64) { r.account.Expanded(steps) }

// closesSet reports whether f's prefix has a rule that it is better without.
func (r *redundancy) closesSet(f *Frame) bool {
	if f.Depth < 2 || !r.account.Affords() {
		return false
	}
	r.kinds = r.kinds[:0]
	for _, label := range f.Labels {
		if r.p.Labels > 2 && !slices.Contains(r.kinds, label) {
			r.kinds = append(r.kinds, label)
			copy(r.others[label], r.p.All)
		}
	}
	if r.p.Labels == 2 {
		copy(r.others[0], r.p.All)
	}
	for i := f.Depth - 2; i >= 0; i-- {
		r.lead(f, i+1)
		if r.redundant(f, i) {
			r.account.Earn()
			r.proof.Redundant(f.Prefix, i)
			return true
		}
	}
	return false
}

// lead puts rule j before those that are behind it.
func (r *redundancy) lead(f *Frame, j int) {
	col := r.p.Columns[f.Prefix[j]]
	if r.p.Labels == 2 {
		n := r.p.Words1
		wrong, of := [2][]uint64{r.others[0][n:], r.others[0][:n]}, [2][]uint64{col[n:], col[:n]} // by label of the points
		q := f.Labels[j]
		bitvec.AndNot(wrong[q], wrong[q], of[q])
		bitvec.Or(wrong[1-q], wrong[1-q], of[1-q])
		return
	}
	for _, label := range r.kinds {
		if label == f.Labels[j] {
			bitvec.AndNot(r.others[label], r.others[label], col)
		} else {
			bitvec.Or(r.others[label], r.others[label], col)
		}
	}
}

// redundant decides the condition for rule i.
func (r *redundancy) redundant(f *Frame, i int) bool {
	p, own := r.p, f.Labels[i]
	before, col := f.Before[i], p.Columns[f.Prefix[i]]
	if p.Labels == 2 {
		room := (f.Costs[i+1] - f.Costs[i]) / p.Unit
		if p.Exceeds(before, col, r.others[0], room) {
			return false
		}
		g1, g0 := p.Planes.CostAnd3(before, col, r.others[0])
		return g1+g0 <= room
	}
	lost, _ := p.Both(own, own, before, col, r.others[own])
	for _, label := range r.kinds {
		if label != own {
			rest, _ := p.Both(label, label, before, col, r.others[label])
			lost -= p.GainOf(label, before, col) - rest
		}
	}
	return lost <= p.Price/p.Unit
}
