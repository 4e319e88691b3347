package first

import (
	"parcorels/bitvec"
	"parcorels/rulelist/problem"
)

// All insertions at once.
//
// A list of K rules splits the points into K+1 parts: what each rule captures,
// and what is left to the default. Let n1_j and n0_j be the costs of class 1
// and 0 in part j. Put an antecedent s in at position i: the parts before i
// stay as they are, and of each part j ≥ i the new rule takes s ∩ part j, with
// costs g1_j and g0_j. With the best label for every rule the list then errs by
//
//	Σ_{j<i} min(n1_j, n0_j)                  before the new rule
//	+ min(Σ_{j≥i} g1_j, Σ_{j≥i} g0_j)          in the new rule
//	+ Σ_{j≥i} min(n1_j − g1_j, n0_j − g0_j)    after it
//
// Going from the last part to the first, three sums for each antecedent give
// the errors at every position. The parts are disjoint, so the programs of all
// of them together are little longer than one for all points: K+1 positions
// times M antecedents, each evaluated exactly, for the price of a few
// expansions.

// partition is what a list makes of the points.
type partition struct {
	p            *problem.Problem
	work         *meter
	length       int        // of the list
	errors       int64      // of the list, beyond the base
	parts        [][]uint64 // parts[length] is the default's; spare ones follow
	cost1, cost0 []int64    // of each part

	prog       bitvec.Program
	g1, g0     []int64 // per column: cost in the part at hand
	sum1, sum0 []int64 // per column: cost in the parts from the one at hand on
	after      []int64 // per column: errors after it in those parts

	many *classPartition // of more than two classes, instead of all that speaks of two
}

func newPartition(p *problem.Problem, work *meter) partition {
	n := p.Padded()
	x := partition{
		p: p, work: work,
		g1: make([]int64, n), g0: make([]int64, n),
		sum1: make([]int64, n), sum0: make([]int64, n), after: make([]int64, n),
	}
	if p.Classes != nil {
		x.many = newClassPartition(p)
	}
	return x
}

// split makes x the partition of a list of columns.
func (x *partition) split(list []problem.Column) {
	for len(x.parts) <= len(list) {
		x.parts = append(x.parts, make([]uint64, x.p.Words))
		x.cost1, x.cost0 = append(x.cost1, 0), append(x.cost0, 0)
	}
	x.length, x.errors = len(list), 0
	copy(x.parts[0], x.p.All)
	for j, col := range list {
		here, rest := x.parts[j], x.parts[j+1]
		bitvec.AndNot(rest, here, x.p.Columns[col])
		bitvec.AndNot(here, here, rest)
		x.weigh(j)
	}
	x.weigh(len(list))
	x.work.spend(int64(len(list)+1) * int64(1+x.p.Planes.PlaneWords()/bitvec.Lanes))
}

func (x *partition) weigh(part int) {
	n1, n0 := x.p.Planes.Cost(x.parts[part])
	x.cost1[part], x.cost0[part] = n1, n0
	x.errors += x.erred(part)
}

// erred returns the errors of a part.
func (x *partition) erred(part int) int64 {
	if x.many != nil {
		_, most := x.p.Classes.Label(x.parts[part], x.parts[part])
		return x.cost1[part] - most
	}
	return min(x.cost1[part], x.cost0[part])
}

// bestInsertion returns the column and the position of the insertion that
// errs least, and its errors, or unknown if there is none to try or the work
// ends early. Columns marked in except are left out.
func (x *partition) bestInsertion(except []bool) (errors int64, col problem.Column, at int) {
	clear(x.sum1)
	clear(x.sum0)
	clear(x.after)
	if x.many != nil {
		x.many.begin()
	}
	errors = problem.Unknown
	before := x.errors
	for j := x.length; j >= 0; j-- {
		n1, n0 := x.cost1[j], x.cost0[j]
		before -= x.erred(j)
		if n1+n0 == 0 {
			continue // the same list as with the rule one position later
		}
		if !x.count(x.parts[j]) {
			return problem.Unknown, 0, 0
		}
		if e, c := x.accumulate(n1, n0, errors-before, except); c >= 0 {
			errors, col, at = before+e, problem.Column(c), j
		}
	}
	return errors, col, at
}

func (x *partition) count(part []uint64) bool {
	if x.many != nil {
		return x.many.counts.CountGains(x.p, part, x.work.counter(x.p))
	}
	x.p.Planes.Compile(&x.prog, part)
	return x.work.count(x.p.Matrix, &x.prog, x.g1, x.g0)
}

// accumulate adds the part at hand, of costs n1 and n0, to the sums of every
// column and returns the one with the fewest errors from this part on, if they
// are below most; −1 if there is none.
func (x *partition) accumulate(n1, n0, most int64, except []bool) (errors int64, col int) {
	if x.many != nil {
		return x.many.accumulate(n1, x.after, most, except)
	}
	m := len(except)
	g1, g0 := x.g1[:m], x.g0[:m]
	sum1, sum0, after := x.sum1[:m], x.sum0[:m], x.after[:m]
	errors, col = most, -1
	for s := range m {
		a, b := sum1[s]+g1[s], sum0[s]+g0[s]
		rest := after[s] + min(n1-g1[s], n0-g0[s])
		sum1[s], sum0[s], after[s] = a, b, rest
		if e := min(a, b) + rest; e < errors && !except[s] {
			errors, col = e, s
		}
	}
	return errors, col
}
