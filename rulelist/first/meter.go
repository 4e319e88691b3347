package first

import (
	"parcorels/bitvec"
	"parcorels/costs"
	"parcorels/rulelist/problem"
)

// meter counts the work of the heuristics. One unit is one step of the
// counting kernel on one block of columns, or an effort like it.
type meter struct {
	running      func() bool // ends the work early where it reports false; nil: nothing does
	spent, limit int64
}

// over reports whether the work is to end.
func (m *meter) over() bool { return m.spent >= m.limit || !m.goesOn() }

// goesOn reports whether nothing ends the work early. It is asked within what
// is long on a large instance, where over would make a difference to the first
// incumbent of any other.
func (m *meter) goesOn() bool { return m.running == nil || m.running() }

// counter evaluates every column of a program's set, unless the work ends early;
// then it reports false.
func (m *meter) counter(p *problem.Problem) costs.Counter {
	return func(prog *bitvec.Program, g1, g0 []int64) bool {
		if !m.goesOn() || !p.Matrix.CountWhile(prog, g1, g0, m.goesOn) {
			return false
		}
		m.spent += int64(p.Matrix.Blocks())*int64(prog.Steps()) + int64(p.Matrix.Columns())
		return true
	}
}
