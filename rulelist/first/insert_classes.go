package first

import (
	"parcorels/bitvec"
	"parcorels/rulelist/problem"
)

// All insertions at once (insert.go), of more than two classes.

// classPartition holds the sums over the parts from the one at hand on.
type classPartition struct {
	counts *problem.ClassCounts
	gains  [][]int64 // by class and column: what is gained there
	cost   []int64   // by column: what that costs at most
}

func newClassPartition(p *problem.Problem) *classPartition {
	x := &classPartition{counts: problem.NewClassCounts(p), cost: make([]int64, p.Padded())}
	for range x.counts.Gains {
		x.gains = append(x.gains, make([]int64, p.Padded()))
	}
	return x
}

func (x *classPartition) begin() {
	clear(x.cost)
	for _, g := range x.gains {
		clear(g)
	}
}

// accumulate does what that of two classes does.
func (x *classPartition) accumulate(after []int64, least int64, except []bool) (errors int64, col int) {
	errors, col = least, -1
	for s := range except {
		x.cost[s] += x.counts.Cost[s]
		most := int64(0)
		for c, sums := range x.gains {
			sums[s] += x.counts.Gains[c][s]
			most = max(most, sums[s])
		}
		after[s] += x.counts.Stop[s]
		if e := x.cost[s] - most + after[s]; e < errors && !except[s] {
			errors, col = e, s
		}
	}
	return errors, col
}

// counter counts columns as far as the work goes on.
func (m *meter) counter(p *problem.Problem) problem.Counter {
	return func(prog *bitvec.Program, g1, g0 []int64) bool { return m.count(p.Matrix, prog, g1, g0) }
}
