package prune

import (
	"math/bits"

	"parcorels/bitvec"
	"parcorels/rulelist/problem"
)

// What a frame does otherwise where there are more than two classes (problem/classes.go).

// countClasses does what count does for two classes.
func (f *Frame) countClasses(p *problem.Problem, goOn func() bool) bool {
	x := f.Many
	count := func(prog *bitvec.Program, g1, g0 []int64) bool { return p.Matrix.CountWhile(prog, g1, g0, goOn) }
	if !x.Count(p, f.U, count) {
		return false
	}
	f.All1, f.All0 = x.Total, 0
	clear(f.Alive)
	for col := range x.Cost {
		if x.Useful(p, col) {
			f.Alive[col/64] |= 1 << (col % 64)
		}
	}
	if !p.Uses(problem.Support) {
		f.clearUnsupported(p)
	}
	f.Survey.Stop = bitvec.Far
	for i, m := range f.Alive {
		for ; m != 0; m &= m - 1 {
			col := i*64 + bits.TrailingZeros64(m)
			f.Survey.Stop = min(f.Survey.Stop, x.Errors[col]+x.Stop[col])
		}
	}
	return true
}

// Cheap makes f.open the alive columns that err by less than room.
func (f *Frame) Cheap(room int64) {
	for i, m := range f.Alive {
		f.Open[i] = 0
		for ; m != 0; m &= m - 1 {
			if f.Many.Errors[i*64+bits.TrailingZeros64(m)] < room {
				f.Open[i] |= m & -m
			}
		}
	}
}

// describeClasses does what describe does for two classes.
func (f *Frame) describeClasses(p *problem.Problem, col int, c *Child) (least int64) {
	x := f.Many
	c.Col, c.class, c.Label, c.Owned = col, x.Label[col], false, false
	c.Cost = f.Cost + p.Price + p.Unit*x.Errors[col]
	c.Left1, c.Left0 = x.Total-x.Cost[col], 0
	c.Objective = c.Cost + p.Unit*x.Stop[col]
	c.Rank = c.Cost + x.Behind(p, col)
	return c.Rank
}
