package problem

import (
	"parcorels/bitvec"
	"parcorels/instance"
)

// More than two classes.
//
// On a set of points a rule that predicts q errs by Σ cost − Σ gain_q beyond the base (package
// instance), so its label is the class with the largest gain, the smallest of these on a tie.
// With two classes, the gain of q is g_q. The prunings hold for more classes as for two:
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
//   - 8 redundant: in prune/redundant.go.
//
// The planes of the problem
// have what points cost at most, all as class 1, so that what compares sets works as it is.
// Each class has planes of its own, and a count takes one pass a class.

// classes are the gains of a problem of more than two classes.
type classes struct {
	Gains   []*bitvec.Planes
	Surplus *bitvec.Planes // Σ gains − cost of each point; nil: nothing, and missing is gains
	Missing []*bitvec.Planes
	all     []int64 // gain of all points, by class
}

// useClasses makes p a problem of more than two classes.
func (p *Problem) useClasses(g *instance.Gains) {
	p.Classes = &classes{Gains: g.Planes, Surplus: g.Surplus, Missing: g.Missing, all: make([]int64, len(g.Planes))}
	costs(p.Classes.all, g.Planes, p.All)
}

// costs writes the cost of a set by the planes of each class to g.
func costs(g []int64, all []*bitvec.Planes, u []uint64) {
	for c, planes := range all {
		g[c], _ = planes.Cost(u)
	}
}

// Label returns the label of a rule that captures a∩b, and what it gains.
func (x *classes) Label(a, b []uint64) (label uint16, most int64) {
	most = -1
	for c, planes := range x.Gains {
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

// ClassCounts are the counts of all columns in a set, by class.
type ClassCounts struct {
	prog   bitvec.Program
	Gains  [][]int64 // by class and column
	Lacks  [][]int64 // likewise, missing_c; these are the gains where there is no surplus
	None   []int64   // what kernels count of the class that is not there
	All    []int64   // gains of the set, by class
	Lack   []int64   // missing_c of the set
	Total  int64     // what the set costs at most
	Cost   []int64   // by column: what it captures costs at most
	Errors []int64   // of the best label
	Stop   []int64   // of the best default behind it
	Label  []uint16  // the best one
}

func NewClassCounts(p *Problem) *ClassCounts {
	n, k := p.Padded(), p.classCount()
	x := &ClassCounts{
		None: make([]int64, n), All: make([]int64, k), Cost: make([]int64, n), Errors: make([]int64, n),
		Stop: make([]int64, n), Label: make([]uint16, n),
	}
	for range k {
		x.Gains = append(x.Gains, make([]int64, n))
	}
	x.Lacks, x.Lack = x.Gains, x.All
	if p.Classes != nil && p.Classes.Surplus != nil {
		x.Lacks, x.Lack = nil, make([]int64, k)
		for range k {
			x.Lacks = append(x.Lacks, make([]int64, n))
		}
	}
	return x
}

func (p *Problem) classCount() int {
	if p.Classes == nil {
		return 2
	}
	return len(p.Classes.Gains)
}

// ClassBytes is the size of the counts of one frame.
func (p *Problem) ClassBytes() int64 {
	if p.Classes == nil {
		return 0
	}
	return int64(p.Padded()) * int64(2*8*len(p.Classes.Gains)+8*4+2)
}

// Counter counts every column in the set of a program, or reports false if it is to end early.
type Counter func(prog *bitvec.Program, g1, g0 []int64) bool

// Count counts every column in u: errors, labels, and what is missing of each class.
func (x *ClassCounts) Count(p *Problem, u []uint64, count Counter) bool {
	if p.Classes.Surplus != nil {
		for c, planes := range p.Classes.Missing {
			planes.Compile(&x.prog, u)
			if !count(&x.prog, x.Lacks[c], x.None) {
				return false
			}
		}
		costs(x.Lack, p.Classes.Missing, u)
	}
	return x.CountErrors(p, u, count)
}

// CountErrors counts every column in u: errors and labels. It does not tell what is missing, which Behind asks for.
func (x *ClassCounts) CountErrors(p *Problem, u []uint64, count Counter) bool {
	if p.Classes == nil {
		return x.countTwo(p, u, count)
	}
	clear(x.Cost)
	if s := p.Classes.Surplus; s != nil {
		s.Compile(&x.prog, u)
		if !count(&x.prog, x.Cost, x.None) {
			return false
		}
	}
	if !x.CountGains(p, u, count) {
		return false
	}
	x.Total, _ = p.Planes.Cost(u)
	for col := range x.Cost {
		x.Column(col)
	}
	return true
}

// countTwo is CountErrors for two classes.
func (x *ClassCounts) countTwo(p *Problem, u []uint64, count Counter) bool {
	if !x.CountGains(p, u, count) {
		return false
	}
	all1, all0 := x.All[1], x.All[0]
	g1, g0 := x.Gains[1], x.Gains[0]
	x.Total = all1 + all0
	for col, a := range g1 {
		b := g0[col]
		x.Cost[col], x.Errors[col], x.Label[col] = a+b, min(a, b), uint16(Label(a > b))
		x.Stop[col] = min(all1-a, all0-b)
	}
	return true
}

// CountGains counts what each column gains in u of each class, and what u has of it.
func (x *ClassCounts) CountGains(p *Problem, u []uint64, count Counter) bool {
	if p.Classes == nil {
		p.Planes.Compile(&x.prog, u)
		x.All[1], x.All[0] = p.Planes.Cost(u)
		return count(&x.prog, x.Gains[1], x.Gains[0])
	}
	for c, planes := range p.Classes.Gains {
		planes.Compile(&x.prog, u)
		if !count(&x.prog, x.Gains[c], x.None) {
			return false
		}
	}
	costs(x.All, p.Classes.Gains, u)
	return true
}

// Column makes what is known of a column of its gains, and of its surplus in cost.
func (x *ClassCounts) Column(col int) {
	cost, most, label, left := -x.Cost[col], int64(-1), 0, int64(0)
	for c, gains := range x.Gains {
		g := gains[col]
		cost += g
		if g > most {
			most, label = g, c
		}
		left = max(left, x.All[c]-g)
	}
	x.Cost[col], x.Errors[col], x.Label[col] = cost, cost-most, uint16(label)
	x.Stop[col] = x.Total - cost - left
}

// Behind returns what lists cost at least that have a rule, the price of all rules included, in
// what a column leaves.
func (x *ClassCounts) Behind(p *Problem, col int) int64 {
	var sum, most int64
	for c, all := range x.Lack {
		m := min(p.Price, p.Unit*(all-x.Lacks[c][col]))
		sum += m
		most = max(most, m)
	}
	return max(p.Price, sum-most)
}

// Useful reports whether a rule can be part of the smallest list (support.go).
func (x *ClassCounts) Useful(p *Problem, col int) bool {
	return x.Cost[col]-x.Errors[col] > p.Support
}

// Capture returns what a rule that captures a∩b errs, the cost of class 1 and class 0 there, or of
// more classes what it costs at most and 0, and the label that a node keeps.
func (p *Problem) Capture(a, b []uint64) (errors, cost1, cost0 int64, one bool) {
	cost1, cost0 = p.Planes.CostAnd(a, b)
	if p.Classes == nil {
		return min(cost1, cost0), cost1, cost0, cost1 > cost0
	}
	_, most := p.Classes.Label(a, b)
	return cost1 - most, cost1, 0, false
}

// EmptyErrors returns what the empty list errs beyond the base.
func (p *Problem) EmptyErrors() int64 {
	if p.Classes == nil {
		return min(p.G1, p.G0)
	}
	most, _ := largest(p.Classes.all)
	return p.G1 - most
}

// Gain returns what a rule of a label gains of a∩b.
func (p *Problem) Gain(label int, a, b []uint64) int64 {
	if p.Classes != nil {
		g, _ := p.Classes.Gains[label].CostAnd(a, b)
		return g
	}
	g1, g0 := p.Planes.CostAnd(a, b)
	if label == 1 {
		return g1
	}
	return g0
}

// LabelOf returns the label of a rule that captures a∩b: the heaviest class there, the
// smallest of equally heavy ones.
func (p *Problem) LabelOf(a, b []uint64) int {
	if p.Classes != nil {
		label, _ := p.Classes.Label(a, b)
		return int(label)
	}
	g1, g0 := p.Planes.CostAnd(a, b)
	return int(Label(g1 > g0))
}
