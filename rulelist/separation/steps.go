package separation

import "math"

// The steps of the LP solver (solver.go has the method), each in two phases: Av' and y'; then
// Aᵀy', the bound, and the v' of the next step.

const (
	sufficient = 0.2
	necessary  = 0.8
	longRun    = 0.36
)

// keep copies a part of the best point before it is overwritten.
func (s *solver) keep(p *part) {
	if s.improved {
		copy(s.bestV[p.vars.from:p.vars.to], s.next.v[p.vars.from:p.vars.to])
		copy(s.best[p.rows.from:p.rows.to], s.next.y[p.rows.from:p.rows.to])
	}
}

// moveVars finds v'.
func (s *solver) moveVars(p *part) {
	from, to := p.vars.from, p.vars.to
	v, load, moved := s.now.v[from:to], s.now.load[from:to], s.next.v[from:to]
	cost, tau, count := s.cost[from:to], s.tau[from:to], s.count[from:to]
	var sum float64
	for i, old := range v {
		x := min(1, max(0, old-tau[i]*(cost[i]-load[i])))
		d := x - old
		sum += d * d * float64(count[i])
		moved[i] = x
	}
	p.ahead = sum * s.weight
}

// moveRows finds Av' and y', moves y and Av on, and adds up what the rows load on the
// variables.
func (s *solver) moveRows(p *part) {
	p.moved = p.ahead
	s.activate(&s.next, p)
	near := s.near()
	far := 1 - near
	from, to := p.rows.from, p.rows.to
	y, act := s.now.y[from:to], s.now.act[from:to]
	moved, ahead := s.next.y[from:to], s.next.act[from:to]
	anchorY, anchorAct := s.anchor.y[from:to], s.anchor.act[from:to]
	sigma, size := s.sigma[from:to], s.size[from:to]
	var sum, value float64
	for i, old := range y {
		oldAct, a := act[i], ahead[i]
		x := max(0, old+sigma[i]*(1-2*a+oldAct))
		d := x - old
		sum += d * d * float64(size[i])
		value += x
		moved[i] = x
		y[i] = near*(2*x-old) + far*anchorY[i]
		act[i] = near*(2*a-oldAct) + far*anchorAct[i]
	}
	p.moved += sum / s.weight
	p.value = value
	s.loadPart(&s.next, p)
}

// weigh finds Aᵀy' and its penalties, and moves v and Aᵀy on. It finds the next v' as well, for
// the case that the solver does not restart.
func (s *solver) weigh(p *part) {
	s.loadUp(&s.next, p)
	from, to := p.vars.from, p.vars.to
	v, load := s.now.v[from:to], s.now.load[from:to]
	moved, product := s.next.v[from:to], s.next.load[from:to]
	anchorV, anchorLoad := s.anchor.v[from:to], s.anchor.load[from:to]
	cost, tau, count, ahead := s.cost[from:to], s.tau[from:to], s.count[from:to], s.ahead[from:to]
	near := s.near()
	far := 1 - near
	var penalty, sum float64
	for i, a := range product {
		penalty += max(0, a-cost[i])
		old := near*(2*moved[i]-v[i]) + far*anchorV[i]
		now := near*(2*a-load[i]) + far*anchorLoad[i]
		v[i], load[i] = old, now
		x := min(1, max(0, old-tau[i]*(cost[i]-now)))
		d := x - old
		sum += d * d * float64(count[i])
		ahead[i] = x
	}
	p.penalty, p.ahead = penalty, sum*s.weight
}

// near is the share of the reflection in the step at hand.
func (s *solver) near() float64 { return float64(s.since+1) / float64(s.since+2) }

// endStep notes the bound of a step, and reports whether the solver restarts.
func (s *solver) endStep() bool {
	var moved, value float64
	for k := range s.parts {
		p := &s.parts[k]
		moved += p.moved
		value += p.value - p.penalty
		s.work += p.work
		p.work = 0
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
	s.work += int64((6+len(s.parts))*len(s.cost) + 6*len(s.sets))
	return s.last <= sufficient*s.first ||
		s.last <= necessary*s.first && s.last > before && s.since > 2 ||
		float64(s.since) >= longRun*float64(s.steps) && s.since >= 64
}

// turnOver makes room for the next step, without copying: the best point takes the place
// of the last best one.
func (s *solver) turnOver() {
	if s.improved {
		s.best, s.next.y = s.next.y, s.best
		s.bestV, s.next.v = s.next.v, s.bestV
		s.improved = false
	}
	s.next.v, s.ahead = s.ahead, s.next.v
}

// distances keeps a best point, and finds how far v' and y' are from the anchor.
func (s *solver) distances(p *part) {
	s.keep(p)
	p.moved, p.value = 0, 0
	for v := p.vars.from; v < p.vars.to; v++ {
		d := s.next.v[v] - s.anchor.v[v]
		p.moved += d * d * float64(s.count[v])
	}
	for i := p.rows.from; i < p.rows.to; i++ {
		d := s.next.y[i] - s.anchor.y[i]
		p.value += d * d * float64(s.size[i])
	}
}

// reweigh balances the distances that v and y moved since the last restart.
func (s *solver) reweigh() {
	var dv, dy float64
	for k := range s.parts {
		dv += s.parts[k].moved
		dy += s.parts[k].value
	}
	if dv > 1e-20 && dy > 1e-20 {
		s.weight = math.Sqrt(math.Sqrt(dy/dv) * s.weight)
	}
	s.improved, s.since = false, 0
}

// stepLengths sets the steps of a part by the weight.
func (s *solver) stepLengths(p *part) {
	for v := p.vars.from; v < p.vars.to; v++ {
		s.tau[v] = 1 / (s.weight * float64(max(1, s.count[v])))
	}
	for i := p.rows.from; i < p.rows.to; i++ {
		s.sigma[i] = s.weight / float64(s.size[i])
	}
}

// restart makes a part of the last projected point the anchor, from where the solver goes on,
// and finds the next v'.
func (s *solver) restart(p *part) {
	s.now.copyPart(&s.next, p)
	s.anchor.copyPart(&s.next, p)
	s.stepLengths(p)
	s.moveVars(p)
}

func (x *iterate) copyPart(from *iterate, p *part) {
	copy(x.v[p.vars.from:p.vars.to], from.v[p.vars.from:p.vars.to])
	copy(x.load[p.vars.from:p.vars.to], from.load[p.vars.from:p.vars.to])
	copy(x.y[p.rows.from:p.rows.to], from.y[p.rows.from:p.rows.to])
	copy(x.act[p.rows.from:p.rows.to], from.act[p.rows.from:p.rows.to])
}

// activate fills in a part of act. Few rules have v > 0, and their columns are added up; of
// points each row has two, which it looks up.
func (s *solver) activate(t *iterate, p *part) {
	from, to := p.rows.from, p.rows.to
	act, v := t.act[from:to], t.v
	zeros := s.zeros[from:to]
	for i, e := range s.ones[from:to] {
		act[i] = v[e] + v[zeros[i]]
	}
	for k := p.large.from; k < p.large.to; k++ {
		for _, e := range s.largePoint[s.largeStart[k]:s.largeStart[k+1]] {
			act[int(s.large[k])-from] += v[e]
		}
	}
	work := 0
	for rule, value := range v[:s.rules] {
		if value == 0 {
			continue
		}
		rows := s.colRow[p.colFrom[rule]:p.colTo[rule]]
		work += len(rows)
		for _, i := range rows {
			t.act[i] += value
		}
	}
	p.work += int64(work)
}

// loadPart lists the rows of a part with y > 0, and adds up what they load on the variables.
func (s *solver) loadPart(t *iterate, p *part) {
	from := p.rows.from
	tight := resize(p.tight, p.rows.to-from+1)
	n, work := 0, 0
	for i, y := range t.y[from:p.rows.to] {
		tight[n] = int32(from + i)
		n += positive(y)
	}
	load := p.load
	clear(load)
	for _, i := range tight[:n] {
		y := t.y[i]
		load[s.ones[i]] += y
		load[s.zeros[i]] += y
		rules := s.rowRule[s.rowStart[i]:s.rowStart[i+1]]
		work += len(rules)
		for _, v := range rules {
			load[v] += y
		}
	}
	for k := p.large.from; k < p.large.to; k++ {
		if y := t.y[s.large[k]]; y != 0 {
			for _, e := range s.largePoint[s.largeStart[k]:s.largeStart[k+1]] {
				load[e] += y
			}
		}
	}
	p.tight = tight[:n]
	p.work += int64(work)
}

// positive is 1 for a positive number and 0 for 0: the sign of the negated bits.
func positive(y float64) int { return int(-math.Float64bits(y) >> 63) }

// loadUp fills in a part of load by the rows of all parts.
func (s *solver) loadUp(t *iterate, p *part) {
	from, to := p.vars.from, p.vars.to
	load := t.load[from:to]
	copy(load, s.parts[0].load[from:to])
	for k := 1; k < len(s.parts); k++ {
		for i, x := range s.parts[k].load[from:to] {
			load[i] += x
		}
	}
}

// products fills in act and load.
func (s *solver) products(x *iterate) {
	for k := range s.parts {
		s.activate(x, &s.parts[k])
		s.loadPart(x, &s.parts[k])
	}
	for k := range s.parts {
		s.loadUp(x, &s.parts[k])
	}
}
