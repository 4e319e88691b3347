package search

import (
	"parcorels/bitvec"
	"parcorels/instance"
)

// More than two classes.
//
// On a set of points a rule that predicts q errs by Σ cost − Σ gain_q beyond the base (package
// instance), so its label is the class with the largest gain, the smallest of these on a tie.
// Of two classes the gain of q is g_q. What the prunings say of two classes they say of more:
//
//   - 1 bound, 3 commuting and 4 equal sets are about lists and labels, whatever these are. When
//     s and t trade places, points of both are predicted q(s) instead of q(t); what they gain of
//     either class decides.
//   - 2 support: without a rule of label q, what it captured errs by Σ gain_q more at most. So
//     a rule is useless if no class gains more than λN, there and everywhere below.
//   - 5 similar support takes each point for what it costs at most, Σ cost.
//   - 7 look-ahead: behind c = P+s, t with label q errs by what it errs behind P less what s errs
//     with label q, at least, because those are the points that t may have lost to s. Likewise
//     the default, of another label r, errs by what u(c) errs with r less what t errs with r.
//
//   - 1 bound: let missing_c be what points whose heaviest class is c err at least if nothing
//     predicts c. A list with j rules has j+1 labels at most. Each class is predicted, by a
//     rule or the default, or costs missing_c. So any completion costs at least
//     Σ_c min(λN, missing_c), less the largest of these, for the default. If it has a rule, it
//     costs at least λN, too. (It is the separation bound of one set a class, but takes no LP.)
//
//   - 10 separation: a rule is pure on points of its heaviest class, and a point costs at least
//     its missing_c.
//
//   - 8 redundant: in classes_redundant.go.
//
// The planes of the problem
// have what points cost at most, all as class 1, so that what compares sets works as it is.
// Each class has planes of its own, and a count takes one pass a class.

// classes are the gains of a problem of more than two classes.
type classes struct {
	gains   []*bitvec.Planes
	surplus *bitvec.Planes // Σ gains − cost of each point; nil: nothing, and missing is gains
	missing []*bitvec.Planes
	all     []int64 // gain of all points, by class
}

// useClasses makes p a problem of more than two classes.
func (p *problem) useClasses(g *instance.Gains) {
	p.classes = &classes{gains: g.Planes, surplus: g.Surplus, missing: g.Missing, all: make([]int64, len(g.Planes))}
	costs(p.classes.all, g.Planes, p.all)
}

// costs writes the cost of a set by the planes of each class to g.
func costs(g []int64, all []*bitvec.Planes, u []uint64) {
	for c, planes := range all {
		g[c], _ = planes.Cost(u)
	}
}

// label returns the label of a rule that captures a∩b, and what it gains.
func (x *classes) label(a, b []uint64) (label uint16, most int64) {
	most = -1
	for c, planes := range x.gains {
		if g, _ := planes.CostAnd(a, b); g > most {
			label, most = uint16(c), g
		}
	}
	return label, most
}

// largest returns the largest of some numbers and the first place where it is.
func largest(g []int64) (most int64, at uint16) {
	most = g[0]
	for c, x := range g {
		if x > most {
			most, at = x, uint16(c)
		}
	}
	return most, at
}

// classCounts are the counts of all columns in a set.
type classCounts struct {
	prog   bitvec.Program
	gains  [][]int64 // by class and column
	lacks  [][]int64 // likewise, missing_c; these are the gains where there is no surplus
	none   []int64   // what kernels count of the class that is not there
	all    []int64   // gains of the set, by class
	lack   []int64   // missing_c of the set
	total  int64     // what the set costs at most
	cost   []int64   // by column: what it captures costs at most
	errors []int64   // of the best label
	stop   []int64   // of the best default behind it
	label  []uint16  // the best one
}

func newClassCounts(p *problem) *classCounts {
	n, k := p.padded(), len(p.classes.gains)
	x := &classCounts{
		none: make([]int64, n), all: make([]int64, k), cost: make([]int64, n), errors: make([]int64, n),
		stop: make([]int64, n), label: make([]uint16, n),
	}
	for range k {
		x.gains = append(x.gains, make([]int64, n))
	}
	x.lacks, x.lack = x.gains, x.all
	if p.classes.surplus != nil {
		x.lacks, x.lack = nil, make([]int64, k)
		for range k {
			x.lacks = append(x.lacks, make([]int64, n))
		}
	}
	return x
}

// classBytes is the size of the counts of one frame.
func (p *problem) classBytes() int64 {
	if p.classes == nil {
		return 0
	}
	return int64(p.padded()) * int64(2*8*len(p.classes.gains)+8*4+2)
}

// counter counts every column in the set of a program, or reports false if it is to end early.
type counter func(prog *bitvec.Program, g1, g0 []int64) bool

// count counts every column in u.
func (x *classCounts) count(p *problem, u []uint64, count counter) bool {
	for c, planes := range p.classes.gains {
		planes.Compile(&x.prog, u)
		if !count(&x.prog, x.gains[c], x.none) {
			return false
		}
	}
	clear(x.cost)
	if s := p.classes.surplus; s != nil {
		s.Compile(&x.prog, u)
		if !count(&x.prog, x.cost, x.none) {
			return false
		}
		for c, planes := range p.classes.missing {
			planes.Compile(&x.prog, u)
			if !count(&x.prog, x.lacks[c], x.none) {
				return false
			}
		}
		costs(x.lack, p.classes.missing, u)
	}
	costs(x.all, p.classes.gains, u)
	x.total, _ = p.planes.Cost(u)
	for col := range x.cost {
		x.column(col)
	}
	return true
}

// column makes what is known of a column of its gains, and of its surplus in cost.
func (x *classCounts) column(col int) {
	cost, most, label, left := -x.cost[col], int64(-1), 0, int64(0)
	for c, gains := range x.gains {
		g := gains[col]
		cost += g
		if g > most {
			most, label = g, c
		}
		left = max(left, x.all[c]-g)
	}
	x.cost[col], x.errors[col], x.label[col] = cost, cost-most, uint16(label)
	x.stop[col] = x.total - cost - left
}

// behind returns what lists cost at least that have a rule, the price of all rules included, in
// what a column leaves.
func (x *classCounts) behind(p *problem, col int) int64 {
	var sum, most int64
	for c, all := range x.lack {
		m := min(p.price, p.unit*(all-x.lacks[c][col]))
		sum += m
		most = max(most, m)
	}
	return max(p.price, sum-most)
}

// useful reports whether a rule can be part of the smallest list (prune_support.go).
func (x *classCounts) useful(p *problem, col int) bool {
	return x.cost[col]-x.errors[col] > p.support
}

// capture returns what a rule that captures a∩b errs, the cost of class 1 and class 0 there, or of
// more classes what it costs at most and 0, and the label that a node keeps.
func (p *problem) capture(a, b []uint64) (errors, cost1, cost0 int64, one bool) {
	cost1, cost0 = p.planes.CostAnd(a, b)
	if p.classes == nil {
		return min(cost1, cost0), cost1, cost0, cost1 > cost0
	}
	_, most := p.classes.label(a, b)
	return cost1 - most, cost1, 0, false
}

// emptyErrors returns what the empty list errs beyond the base.
func (p *problem) emptyErrors() int64 {
	if p.classes == nil {
		return min(p.g1, p.g0)
	}
	most, _ := largest(p.classes.all)
	return p.g1 - most
}

// labelOf returns the label of a rule that captures a∩b: the heaviest class there, the
// smallest of equally heavy ones.
func (p *problem) labelOf(a, b []uint64) int {
	if p.classes != nil {
		label, _ := p.classes.label(a, b)
		return int(label)
	}
	g1, g0 := p.planes.CostAnd(a, b)
	return int(label(g1 > g0))
}
