package first

import (
	"parcorels/bitvec"
	"parcorels/costs"
	"parcorels/rulelist/problem"
)

// meter counts the work of the heuristics. One unit is one step of the
// counting kernel on one block of columns, or an effort like it.
type meter struct {
	done         <-chan struct{} // ends the work early
	running      func() bool     // likewise, where it reports false; nil: nothing does
	spent, limit int64
}

func (m *meter) spend(n int64) { m.spent += n }

// over reports whether the work is to end.
func (m *meter) over() bool { return m.spent >= m.limit || !m.goesOn() }

// goesOn reports whether nothing ends the work early. It is asked within what
// is long on a large instance, where over would make a difference to the first
// incumbent of any other.
func (m *meter) goesOn() bool {
	if m.running != nil && !m.running() {
		return false
	}
	select {
	case <-m.done:
		return false
	default:
		return true
	}
}

// count evaluates every column of a program's set, unless the work ends early;
// then it reports false.
func (m *meter) count(columns *bitvec.Matrix, prog *bitvec.Program, g1, g0 []int64) bool {
	if !m.goesOn() || !columns.CountWhile(prog, g1, g0, m.goesOn) {
		return false
	}
	m.spend(int64(columns.Blocks())*int64(prog.Steps()) + int64(columns.Columns()))
	return true
}

// counter counts columns as far as the work goes on.
func (m *meter) counter(p *problem.Problem) costs.Counter {
	return func(prog *bitvec.Program, g1, g0 []int64) bool { return m.count(p.Matrix, prog, g1, g0) }
}
