package separation

import "math"

// The steps of the LP solver (solver.go has the method), each in three phases: v'
// and what it uses; Av' and y'; Aᵀy' and the bound.

// varSums are sums over a chunk of variables, rowSums over one of rows.
type varSums struct{ moved, penalty float64 }
type rowSums struct{ moved, y float64 }

const (
	sufficient = 0.2
	necessary  = 0.8
	longRun    = 0.36
)

// run makes a part of some steps.
func (s *solver) run(k, steps int) {
	p := &s.parts[k]
	for range steps {
		s.moveVars(p)
		s.meet()
		s.moveRows(p)
		s.meet()
		s.weigh(p)
		s.meet()
		if k == 0 {
			s.settle()
		}
		s.meet()
	}
	s.keepVars(p)
	s.keepRows(p)
}

// keepVars and keepRows copy a best point before it is overwritten.
func (s *solver) keepVars(p *part) {
	if s.improved {
		copy(s.bestV[p.vars.from:p.vars.to], s.next.v[p.vars.from:p.vars.to])
	}
}

func (s *solver) keepRows(p *part) {
	if s.improved {
		copy(s.best[p.rows.from:p.rows.to], s.next.y[p.rows.from:p.rows.to])
	}
}

// moveVars finds v'.
func (s *solver) moveVars(p *part) {
	s.keepVars(p)
	x, t := &s.now, &s.next
	p.used = p.used[:0]
	for from := p.vars.from; from < p.vars.to; from += chunk {
		var sum float64
		for v := from; v < min(from+chunk, p.vars.to); v++ {
			step := s.tau[v] / s.weight
			moved := min(1, max(0, x.v[v]-step*(s.cost[v]-x.load[v])))
			d := moved - x.v[v]
			sum += d * d / step
			if t.v[v] = moved; moved != 0 {
				p.used = append(p.used, int32(v))
			}
		}
		s.varSums[from/chunk].moved = sum
	}
}

// moveRows finds Av' and y', and moves y and Av on.
func (s *solver) moveRows(p *part) {
	s.keepRows(p)
	s.activate(&s.next, p)
	x, t := &s.now, &s.next
	p.tight = p.tight[:0]
	for from := p.rows.from; from < p.rows.to; from += chunk {
		var sums rowSums
		for i := from; i < min(from+chunk, p.rows.to); i++ {
			step := s.sigma[i] * s.weight
			y := x.y[i]
			moved := max(0, y+step*(1-2*t.act[i]+x.act[i]))
			d := moved - y
			sums.moved += d * d / step
			sums.y += moved
			if t.y[i] = moved; moved != 0 {
				p.tight = append(p.tight, int32(i))
			}
		}
		s.rowSums[from/chunk] = sums
	}
	near := s.near()
	towards(x.y, t.y, s.anchor.y, p.rows, near)
	towards(x.act, t.act, s.anchor.act, p.rows, near)
}

// weigh finds Aᵀy' and its penalties, and moves v and Aᵀy on.
func (s *solver) weigh(p *part) {
	s.loadUp(&s.next, p)
	for from := p.vars.from; from < p.vars.to; from += chunk {
		var sum float64
		for v := from; v < min(from+chunk, p.vars.to); v++ {
			sum += max(0, s.next.load[v]-s.cost[v])
		}
		s.varSums[from/chunk].penalty = sum
	}
	near := s.near()
	towards(s.now.v, s.next.v, s.anchor.v, p.vars, near)
	towards(s.now.load, s.next.load, s.anchor.load, p.vars, near)
}

// near is the share of the reflection in the step at hand.
func (s *solver) near() float64 { return float64(s.since+1) / float64(s.since+2) }

// settle ends a step: it notes the bound and restarts where that pays.
func (s *solver) settle() {
	var moved, value float64
	for _, x := range s.varSums {
		moved += x.moved
		value -= x.penalty
	}
	for _, x := range s.rowSums {
		moved += x.moved
		value += x.y
	}
	if s.improved = value > s.bestValue; s.improved {
		s.bestValue = value
	}
	before := s.last
	s.last = math.Sqrt(moved)
	if s.since == 0 {
		s.first = s.last
	}
	s.since++
	s.steps++
	for k := range s.parts {
		s.work += s.parts[k].work
		s.parts[k].work = 0
	}
	s.work += int64(5*len(s.cost) + 4*len(s.sets))
	switch {
	case s.last <= sufficient*s.first,
		s.last <= necessary*s.first && s.last > before && s.since > 2,
		float64(s.since) >= longRun*float64(s.steps) && s.since >= 64:
		s.reweigh()
		s.restart()
	}
}

// activate fills in a part of act, of a sparse v whose variables are listed.
func (s *solver) activate(t *iterate, p *part) {
	clear(t.act[p.rows.from:p.rows.to])
	for k := range s.parts {
		for _, v := range s.parts[k].used {
			value := t.v[v]
			rows := s.colRow[p.colFrom[v]:p.colTo[v]]
			p.work += int64(len(rows))
			for _, i := range rows {
				t.act[i] += value
			}
		}
	}
}

// loadUp fills in a part of load, of a sparse y whose rows are listed.
func (s *solver) loadUp(t *iterate, p *part) {
	clear(t.load[p.vars.from:p.vars.to])
	for k := range s.parts {
		for _, i := range s.parts[k].tight {
			y := t.y[i]
			vars := s.rowVar[p.rowFrom[i]:p.rowTo[i]]
			p.work += int64(len(vars))
			for _, v := range vars {
				t.load[v] += y
			}
		}
	}
}

// products fills in act and load.
func (s *solver) products(x *iterate) {
	for k := range s.parts {
		p := &s.parts[k]
		p.used, p.tight = p.used[:0], p.tight[:0]
		for v := p.vars.from; v < p.vars.to; v++ {
			if x.v[v] != 0 {
				p.used = append(p.used, int32(v))
			}
		}
		for i := p.rows.from; i < p.rows.to; i++ {
			if x.y[i] != 0 {
				p.tight = append(p.tight, int32(i))
			}
		}
	}
	for k := range s.parts {
		s.activate(x, &s.parts[k])
		s.loadUp(x, &s.parts[k])
	}
	s.work += int64(len(x.v) + len(x.y))
}

// towards moves a range of x to the mean of its reflection at t and the anchor.
func towards(x, t, a []float64, r span, near float64) {
	far := 1 - near
	x, t, a = x[r.from:r.to], t[r.from:r.to], a[r.from:r.to]
	for i, old := range x {
		x[i] = near*(2*t[i]-old) + far*a[i]
	}
}
