package first

import (
	"slices"

	"parcorels/bitvec"
	"parcorels/costs"
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

// With k classes there are k such sums. A list errs by what all points cost, less the largest gain of each of its parts, so
// gains alone are counted (package costs).

// partition is what a list makes of the points.
type partition struct {
	p      *problem.Problem
	work   *meter
	length int        // of the list
	errors int64      // of the list, beyond the base
	parts  [][]uint64 // parts[length] is the default's; spare ones follow
	costs  []int64    // of each part

	counts *costs.Counts // of the part at hand
	sums   [][]int64     // by class and column: what the rule gains in the parts from the one at hand on
	after  []int64       // per column: what the list gains after it in those parts
	cost   int64         // of those parts
}

func newPartition(p *problem.Problem, work *meter) partition {
	x := partition{p: p, work: work, counts: p.NewCounts(p.Padded()), after: make([]int64, p.Padded())}
	for range x.counts.Gains {
		x.sums = append(x.sums, make([]int64, p.Padded()))
	}
	return x
}

// split makes x the partition of a list of columns.
func (x *partition) split(list []problem.Column) {
	for len(x.parts) <= len(list) {
		x.parts = append(x.parts, make([]uint64, x.p.Words))
		x.costs = append(x.costs, 0)
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
	x.work.spent += int64(len(list)+1) * int64(1+x.p.Planes.PlaneWords()/bitvec.Lanes)
}

func (x *partition) weigh(part int) {
	_, errors, cost := x.p.Best(x.parts[part], x.parts[part])
	x.costs[part] = cost
	x.errors += errors
}

// bestInsertion returns the column and the position of the insertion that
// errs least, and its errors, or unknown if there is none to try or the work
// ends early. Columns marked in except are left out.
func (x *partition) bestInsertion(except []bool) (errors int64, col problem.Column, at int) {
	clear(x.after)
	for _, sums := range x.sums {
		clear(sums)
	}
	x.cost, errors = 0, problem.Unknown
	before := x.errors
	for j := x.length; j >= 0; j-- {
		if x.costs[j] == 0 {
			continue // the same list as with the rule one position later
		}
		if !x.counts.CountGains(x.parts[j], x.work.counter(x.p)) {
			return problem.Unknown, 0, 0
		}
		before -= x.costs[j] - slices.Max(x.counts.All)
		x.cost += x.costs[j]
		if e, c := x.accumulate(errors-before, except); c >= 0 {
			errors, col, at = before+e, problem.Column(c), j
		}
	}
	return errors, col, at
}

// accumulate adds the part at hand to the sums of every column and returns the one with the fewest errors from this part
// on, if they are below least; −1 if there is none.
func (x *partition) accumulate(least int64, except []bool) (errors int64, col int) {
	if len(x.sums) == 2 {
		return x.accumulateTwo(least, except)
	}
	errors, col = least, -1
	for s := range except {
		most, rest := int64(0), int64(0)
		for c, sums := range x.sums {
			g := x.counts.Gains[c][s]
			sums[s] += g
			most, rest = max(most, sums[s]), max(rest, x.counts.All[c]-g)
		}
		x.after[s] += rest
		if e := x.cost - most - x.after[s]; e < errors && !except[s] {
			errors, col = e, s
		}
	}
	return errors, col
}

// accumulateTwo is accumulate for two classes, which takes half of the time so.
func (x *partition) accumulateTwo(least int64, except []bool) (errors int64, col int) {
	m := len(except)
	all0, all1, cost := x.counts.All[0], x.counts.All[1], x.cost
	g0, g1, sum0, sum1, after := x.counts.Gains[0][:m], x.counts.Gains[1][:m], x.sums[0][:m], x.sums[1][:m], x.after[:m]
	errors, col = least, -1
	for s := range m {
		a, b := sum0[s]+g0[s], sum1[s]+g1[s]
		rest := after[s] + max(all0-g0[s], all1-g1[s])
		sum0[s], sum1[s], after[s] = a, b, rest
		if e := cost - max(a, b) - rest; e < errors && !except[s] {
			errors, col = e, s
		}
	}
	return errors, col
}
