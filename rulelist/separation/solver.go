package separation

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
// rows are tight. So Av' is added up by the columns of the rules with v' > 0, and Aᵀy' by
// the rows with y' > 0; the products with everything else follow from these linearly.
//
// Steps are in steps.go, and how goroutines share them in parts.go.

// solver has a program and a point of the iteration. Values of rules and points
// (v) and of rows (y) have their products with A beside them: act = A·v, load =
// Aᵀ·y.
type solver struct {
	lp
	now, next, anchor iterate
	ahead             []float64 // v' of the step after next
	tau, sigma        []float64
	weight            float64 // primal weight: τ is divided, σ multiplied by it

	best      []float64 // y of the best bound
	bestV     []float64 // v' at that time
	bestValue float64   // in units of a rule's cost

	first, last float64 // length of the first step since the restart, and of the last one
	since       int     // steps since the restart
	steps       int     // in all
	work        int64   // entries of vectors and matrices touched

	goroutines int
	least      int    // entries of a part; 0: partLeast
	parts      []part // what goroutines share
	improved   bool   // whether next is the best point, and has yet to be copied
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
	s.divide()
	s.next.resize(n, rows)
	s.anchor.resize(n, rows)
	s.tau, s.sigma = resize(s.tau, n), resize(s.sigma, rows)
	for k := range s.parts {
		s.stepLengths(&s.parts[k])
	}
	s.products(&s.now)
	s.best = resize(s.best, rows)
	s.bestV, s.ahead = resize(s.bestV, n), resize(s.ahead, n)
	copy(s.best, s.now.y)
	copy(s.bestV, s.now.v)
	s.bestValue = s.value(s.now.y, s.now.load)
	s.anchor.copyFrom(&s.now)
	s.since = 0
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
