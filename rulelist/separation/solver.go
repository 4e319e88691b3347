package separation

import "math"

// The LP solver: primal-dual hybrid gradient with reflection, Halpern's
// anchoring and restarts (r²HPDHG: Lu and Yang, Restarted Halpern PDHG for linear
// programming, 2024; PDLP: Applegate and others, NeurIPS 2021), with
// the diagonal steps of Pock and Chambolle (ICCV 2011).
//
// One step maps (v, y) to
//
//	v' = clip(v − τ (cost − Aᵀy)),   y' = max(0, y + σ (1 − A(2v' − v)))
//
// and moves on to a weighted mean of its reflection and the point where it last
// restarted. It restarts when a step has become much shorter than the first
// one after the last restart. Every y' is a valid dual point, so the best bound
// so far is there at any moment.
//
// Both v' and y' are sparse near the solution: a few rules are used and few
// rows are tight. So Aᵀy' is added up by the rows with y' > 0 and Av' by the
// columns with v' > 0, and the products with everything else follow from these
// linearly.

// solver has a program and a point of the iteration. Values of rules and points
// (v) and of rows (y) have their products with A beside them: act = A·v, load =
// Aᵀ·y.
type solver struct {
	lp
	now, next, anchor iterate
	tau, sigma        []float64
	weight            float64 // primal weight: τ is divided, σ multiplied by it

	best      []float64 // y of the best bound
	bestV     []float64 // v' at that time
	bestValue float64   // in units of a rule's cost

	first, last float64 // length of the first step since the restart, and of the last one
	since       int     // steps since the restart
	steps       int     // in all
	work        int64   // entries of vectors and matrices touched
}

// iterate is a point.
type iterate struct{ v, y, act, load []float64 }

func (x *iterate) resize(n, rows int) {
	x.v, x.load = resize(x.v, n), resize(x.load, n)
	x.y, x.act = resize(x.y, rows), resize(x.act, rows)
}

func (x *iterate) copyFrom(o *iterate) {
	copy(x.v, o.v)
	copy(x.y, o.y)
	copy(x.act, o.act)
	copy(x.load, o.load)
}

// start sets the solver to a point of its program: v and y of now are filled in.
func (s *solver) start() {
	n, rows := len(s.name), len(s.sets)
	s.next.resize(n, rows)
	s.anchor.resize(n, rows)
	s.tau, s.sigma = resize(s.tau, n), resize(s.sigma, rows)
	for v := range n {
		s.tau[v] = 1 / float64(max(1, s.colStart[v+1]-s.colStart[v]))
	}
	for i := range rows {
		s.sigma[i] = 1 / float64(max(1, s.rowStart[i+1]-s.rowStart[i]))
	}
	s.products(&s.now)
	s.best = resize(s.best, rows)
	s.bestV = resize(s.bestV, n)
	copy(s.best, s.now.y)
	copy(s.bestV, s.now.v)
	s.bestValue = s.value(s.now.y, s.now.load)
	s.restart()
}

// products fills in act and load.
func (s *solver) products(x *iterate) {
	s.activate(x)
	s.loadUp(x)
	s.work += int64(len(x.v) + len(x.y))
}

// value is the bound of y, with its loads.
func (s *solver) value(y, load []float64) (sum float64) {
	for _, x := range y {
		sum += x
	}
	for v, c := range s.cost {
		if x := load[v]; x > c {
			sum -= x - c
		}
	}
	return sum
}

// scaled returns the multiple of y with the best bound, and that bound, which is
// concave in the factor. Far from the solution y is too large as a whole.
func (s *solver) scaled(y, load []float64) (factor, value float64) {
	var sum float64
	for _, x := range y {
		sum += x
	}
	low, high := 0.0, 1.0
	for range 12 {
		factor = (low + high) / 2
		slope := sum
		for v, c := range s.cost {
			if x := load[v]; x*factor > c {
				slope -= x
			}
		}
		if slope > 0 {
			low = factor
		} else {
			high = factor
		}
	}
	value = sum * low
	for v, c := range s.cost {
		if x := load[v] * low; x > c {
			value -= x - c
		}
	}
	s.work += int64(13 * len(s.cost))
	return low, value
}

// shrink takes the best multiple of the last y if that is the best bound.
func (s *solver) shrink() {
	factor, value := s.scaled(s.next.y, s.next.load)
	if value <= s.bestValue {
		return
	}
	s.bestValue = value
	copy(s.bestV, s.next.v)
	for i, y := range s.next.y {
		s.best[i] = factor * y
	}
}

// restart makes the present point the anchor.
func (s *solver) restart() {
	s.anchor.copyFrom(&s.now)
	s.since = 0
}

// step makes one step.
func (s *solver) step() {
	x, t, a := &s.now, &s.next, &s.anchor
	var dv, dy float64
	w := s.weight
	for v, c := range s.cost {
		step := s.tau[v] / w
		moved := min(1, max(0, x.v[v]-step*(c-x.load[v])))
		d := moved - x.v[v]
		dv += d * d / step
		t.v[v] = moved
	}
	s.activate(t)
	for i, y := range x.y {
		step := s.sigma[i] * w
		moved := max(0, y+step*(1-2*t.act[i]+x.act[i]))
		d := moved - y
		dy += d * d / step
		t.y[i] = moved
	}
	s.loadUp(t)
	if value := s.value(t.y, t.load); value > s.bestValue {
		s.bestValue = value
		copy(s.best, t.y)
		copy(s.bestV, t.v)
	}
	s.last = math.Sqrt(dv + dy)
	if s.since == 0 {
		s.first = s.last
	}
	s.since++
	s.steps++
	near := float64(s.since) / float64(s.since+1)
	s.towards(x.v, t.v, a.v, near)
	s.towards(x.load, t.load, a.load, near)
	s.towards(x.y, t.y, a.y, near)
	s.towards(x.act, t.act, a.act, near)
	s.work += int64(5*len(s.cost) + 4*len(s.sets))
}

// activate fills in act of a sparse v.
func (s *solver) activate(t *iterate) {
	clear(t.act)
	for v, value := range t.v {
		if value != 0 {
			rows := s.col(v)
			s.work += int64(len(rows))
			for _, i := range rows {
				t.act[i] += value
			}
		}
	}
}

// loadUp fills in load of a sparse y.
func (s *solver) loadUp(t *iterate) {
	clear(t.load)
	for i, y := range t.y {
		if y != 0 {
			vars := s.row(i)
			s.work += int64(len(vars))
			for _, v := range vars {
				t.load[v] += y
			}
		}
	}
}

// towards moves x to the mean of its reflection at t and the anchor.
func (s *solver) towards(x, t, a []float64, near float64) {
	far := 1 - near
	t, a = t[:len(x)], a[:len(x)]
	for i, old := range x {
		x[i] = near*(2*t[i]-old) + far*a[i]
	}
}

const (
	sufficient = 0.2
	necessary  = 0.8
	longRun    = 0.36
)

// advance makes some steps and restarts where that pays.
func (s *solver) advance(steps int) {
	for range steps {
		before := s.last
		s.step()
		switch {
		case s.last <= sufficient*s.first,
			s.last <= necessary*s.first && s.last > before && s.since > 2,
			float64(s.since) >= longRun*float64(s.steps) && s.since >= 64:
			s.reweigh()
			s.restart()
		}
	}
}

// reweigh goes to the last projected point, from where the solver restarts, and
// balances the distances that v and y moved since the last restart.
func (s *solver) reweigh() {
	s.now.copyFrom(&s.next)
	var dv, dy float64
	for v, x := range s.now.v {
		d := x - s.anchor.v[v]
		dv += d * d / s.tau[v]
	}
	for i, y := range s.now.y {
		d := y - s.anchor.y[i]
		dy += d * d / s.sigma[i]
	}
	if dv > 1e-20 && dy > 1e-20 {
		ratio := math.Sqrt(dy / dv)
		s.weight = math.Exp(0.5*math.Log(ratio) + 0.5*math.Log(s.weight))
	}
}
