package first

import (
	"parcorels/bitvec"
	"parcorels/rulelist/problem"
)

// All insertions at once (insert.go), of more than two classes.

// classPartition holds the sums over the parts from the one at hand on.
type classPartition struct {
	counts *problem.ClassCounts
	gains  [][]int64 // by class and column: what the rule gains there
	cost   int64     // of all points there
}

func newClassPartition(p *problem.Problem) *classPartition {
	x := &classPartition{counts: problem.NewClassCounts(p)}
	for range x.counts.Gains {
		x.gains = append(x.gains, make([]int64, p.Padded()))
	}
	return x
}

func (x *classPartition) begin() {
	x.cost = 0
	for _, g := range x.gains {
		clear(g)
	}
}

// accumulate does what that of two classes does. A list errs by what all points cost, less the largest
// gain of each of its parts. So gains alone are counted. The part at hand costs cost, and gained has what the parts
// behind the rule gain.
func (x *classPartition) accumulate(cost int64, gained []int64, least int64, except []bool) (errors int64, col int) {
	errors, col = least, -1
	x.cost += cost
	for s := range except {
		most, rest := int64(0), int64(0)
		for c, sums := range x.gains {
			g := x.counts.Gains[c][s]
			sums[s] += g
			most, rest = max(most, sums[s]), max(rest, x.counts.All[c]-g)
		}
		gained[s] += rest
		if e := x.cost - most - gained[s]; e < errors && !except[s] {
			errors, col = e, s
		}
	}
	return errors, col
}

// counter counts columns as far as the work goes on.
func (m *meter) counter(p *problem.Problem) problem.Counter {
	return func(prog *bitvec.Program, g1, g0 []int64) bool { return m.count(p.Matrix, prog, g1, g0) }
}
