package separation

import "sync"

// Root is what is known of a problem from the LP of its empty prefix: a pool with the LP over some of its sets, and the best
// exact bound that came of it.
type Root struct {
	P       *Problem
	Pool    *Pool
	Context *Context // the live rules shrink as rules are fixed
	Weights []Weight // of the best bound
	Value   int64    // of it, beyond the prefix's cost
	Bound   Bound    // of the weights that were evaluated last

	start   *Start // where the LP begins; nil: at nothing
	s       solver
	spare   []Weight
	tried   []Weight // the weights that were evaluated last
	sep     separator
	y       []float64
	plan    *plan // of the ascents of nodes
	planned sync.Once
	resting []int32 // sets without a row (rest.go)

	chained bool // a proof needs the links
	whole   bool // no rule is fixed
	links   []Link
}

// Effort limits the root's LP.
type Effort struct {
	Work   int64       // entries of vectors and matrices touched, where the bound is a rule below room
	Nearer int64       // the most times that where it is nearer (times); 0: the same at any distance
	GoOn   func() bool // nil: always
}

// left is how much work is left with a gap of so many rules.
func (e *Effort) left(work int64, gap float64) int64 {
	if e.GoOn != nil && !e.GoOn() {
		return 0
	}
	return int64(float64(e.Work)*e.times(gap)) - work
}

// times grows within a rule by the square of the gap, and falls with the gap beyond some rules.
func (e *Effort) times(gap float64) float64 {
	switch {
	case e.Nearer == 0:
		return 1
	case gap > 1:
		return min(1, max(some/gap, farther))
	}
	return min(1/max(gap*gap, 1e-9), float64(e.Nearer))
}

const (
	some    = 4.   // rules
	farther = 0.25 // the least share of the work
)

// mayGrow reports whether sets may grow beyond pairs with a gap of so many rules. Where they are
// wanted themselves, they always do; in a short search that the LP nearly ends, they cost more
// than they save: the path of haberman takes .02 s instead of .04.
func (e *Effort) mayGrow(gap float64) bool {
	return e.Nearer == 0 || gap > nearRules || e.Work > shortSearch
}

const shortSearch = 1 << 27 // entries of the LP, some tenths of a second

// trend is how the gap fell with the work, for an end where it does not.
type trend struct {
	work int64
	gap  float64 // then
}

const (
	shortWork = 16      // of the work allowed, the part within which nothing is said of a large gap
	leastFall = 1. / 16 // of a gap, between two looks
	nearFall  = 1. / 8  // the same within two rules
	nearRules = 2       // of gap, from where on rules are fixed soon
)

// stuck reports whether the gap has hardly fallen: then a longer LP will not close it, and sets for
// ascents are there. A large gap is looked at again when the work has doubled. Within two rules
// rules are fixed by what little the bound rises, so the look is at each quarter more, and the fall that is wanted an
// eighth: haberman with λ = .005 takes
// .04 s then instead of .11, breast cancer .6 instead of 1.35. For a proof the LP goes on there.
func (t *trend) stuck(e *Effort, work int64, gap float64) bool {
	again := 2 * t.work
	near := gap <= nearRules
	switch {
	case near && e.Nearer > 1:
		return false
	case near:
		again = t.work + t.work/4
	case work < e.Work/shortWork:
		return false
	}
	if t.work > 0 && work < again {
		return false
	}
	fall := leastFall
	if near {
		fall = nearFall
	}
	stuck := t.work > 0 && gap > t.gap*(1-fall)
	t.work, t.gap = work, gap
	return stuck
}

const (
	lookSteps  = 50 // steps of the LP between two looks at its bound
	fewestLook = 8  // steps that are worth a look
)

// stepsLeft is how many steps of the LP the effort allows before the next look, 0 for an end.
func (r *Root) stepsLeft(e *Effort, room int64) int {
	n := e.left(r.s.work, r.gap(room)) / r.StepWork()
	if n < fewestLook || len(r.s.sets) == 0 {
		return 0 // without sets a step would take no work, and never end
	}
	return int(min(n, lookSteps))
}

// StepWork is about the work of a step of the LP as it is.
func (r *Root) StepWork() int64 {
	s := &r.s
	return int64(s.entries()/2+6*(len(s.name)+len(s.sets))) + 1
}

// gap is how far the bound is below room, in rules. That of the LP may not be exact yet.
func (r *Root) gap(room int64) float64 {
	rule := float64(r.P.rule)
	return float64(room)/rule - max(float64(r.Value)/rule, r.s.bestValue)
}

// NewRoot makes the first pool. It returns nil if that takes more than so much
// work. Up to so many goroutines share the work of this and of Solve.
// The bound is the same for any number of them.
func (p *Problem) NewRoot(most int64, goroutines int) *Root {
	return p.newRoot(p.NewContext(), most, goroutines)
}

func (p *Problem) newRoot(c *Context, most int64, goroutines int) *Root {
	s := p.newPairs(c)
	if s.work() <= most {
		s.begin(goroutines)
	}
	return s.Root(most, goroutines)
}

// Root is NewRoot with the pairs of a search that has begun, and ends that.
func (s *Pairs) Root(most int64, goroutines int) *Root {
	defer s.Leave()
	r := &Root{P: s.p, Pool: s.p.NewPool(), Context: s.c}
	if r.s.work = s.work(); r.s.work > most {
		return nil
	}
	s.add(r.Pool)
	r.s.goroutines = goroutines
	r.sep = separator{p: s.p, l: r.Pool, goroutines: goroutines}
	return r
}

// Solve improves the bound and fixes rules, against an incumbent that costs room
// beyond the root, until neither makes progress or the work is done.
func (r *Root) Solve(room int64, effort Effort) {
	if r.s.weight == 0 {
		r.begin(r.Context, r.firstSets())
	}
	idle := 0 // rounds without progress
	var t trend
	for s := &r.s; r.stepsLeft(&effort, room) > 0 && idle < 4 && !t.stuck(&effort, s.work, r.gap(room)); {
		before := r.Value
		fixed := r.descend(room, &effort)
		if r.done(room) || r.stepsLeft(&effort, room) == 0 {
			break
		}
		fresh := r.sep.find(r.Context, &s.lp, s.next.v, 400, effort.mayGrow(r.gap(room)))
		s.work += r.sep.looked
		if idle++; fixed > 0 || r.Value-before > (room-r.Value)/50 {
			idle = 0
		}
		fresh = append(fresh, r.rouse()...)
		if len(fresh)+fixed > 0 {
			r.rebuild(fresh, r.gap(room) <= some)
		}
	}
	r.take(r.Context)
	r.fix(r.Context, room, true)
	r.y = make([]float64, r.Pool.Len())
	for i, k := range r.s.sets {
		r.y[k] = r.s.best[i]
	}
}

// Bytes is about the memory that the root takes at present: of the pool, the program and the vectors of its solver.
func (r *Root) Bytes() int64 {
	return r.Pool.Bytes() + int64(r.s.entries())*8 + int64(len(r.s.name)+len(r.s.sets))*8*vectors
}

// vectors is how many numbers the solver keeps for each variable and row.
const vectors = 12

// done reports whether hardly anything is left to be gained: the bound is as
// good as the incumbent, or few rules are left.
func (r *Root) done(room int64) bool {
	if r.whole {
		return r.Value > room
	}
	return r.Value >= room-r.P.rule/256 || r.Live() <= 8
}

func (r *Root) everySet() []int32 {
	sets := make([]int32, r.Pool.Len())
	for k := range sets {
		sets[k] = int32(k)
	}
	return sets
}

// descend runs the LP solver until it stalls or many rules were fixed, and
// returns how many were.
func (r *Root) descend(room int64, effort *Effort) (fixed int) {
	s := &r.s
	for stalled := 0; stalled < 3 && fixed*10 <= s.rules; {
		steps := r.stepsLeft(effort, room)
		if steps == 0 {
			break
		}
		last := s.bestValue
		s.advance(steps)
		s.shrink()
		r.take(r.Context)
		fixed += r.fix(r.Context, room, false)
		if r.done(room) {
			break
		}
		stalled = r.stalls(stalled, last, room)
	}
	return fixed
}

// stalls counts how often in a row the LP's bound has hardly risen, from the last one.
func (r *Root) stalls(before int, last float64, room int64) int {
	s := &r.s
	if left := float64(room)/float64(r.P.rule) - s.bestValue; s.bestValue > 0 && s.bestValue-last <= max(0, left)/50 {
		return before + 1
	}
	return 0
}

// Work returns the work of the LP so far, in entries.
func (r *Root) Work() int64 { return r.s.work }

// Live returns the number of rules that a completion may use.
func (r *Root) Live() int { return r.Context.Rules() }

// begin starts an LP at r.start, or from nothing.
func (r *Root) begin(c *Context, sets []int32) {
	s := &r.s
	s.weight = 1
	s.build(r.P, c, r.Pool, sets)
	s.work += int64(4*s.entries() + 8*(len(s.name)+len(s.sets)))
	s.divide()
	s.now.resize(len(s.name), len(s.sets))
	if r.start != nil {
		r.fill(r.start)
		return
	}
	clear(s.now.v)
	for i := range s.now.y {
		s.now.y[i] = 1
	}
	s.products(&s.now)
	factor, _ := s.scaled(s.now.y, s.now.load)
	for i := range s.now.y {
		s.now.y[i] = factor
	}
	s.start()
}

// take makes the LP's best weights exact.
func (r *Root) take(c *Context) {
	scale := float64(r.P.rule)
	weights := r.spare[:0]
	for i, y := range r.s.best {
		if y := int64(y * scale); y > 0 {
			weights = append(weights, Weight{r.s.sets[i], y})
		}
	}
	r.spare, r.tried = weights, weights
	r.s.work += int64(len(weights) * (r.P.width + 8))
	if r.P.Evaluate(&r.Bound, c, r.Pool, weights) >= r.Value {
		r.Weights, r.spare = weights, r.Weights
		r.Value = r.Bound.Value
	}
}

// rebuild makes the program anew with further sets, and if wanted without those that rest from now
// on, from where it was.
func (r *Root) rebuild(fresh []int32, mayRest bool) {
	s := &r.s
	shares := s.shares(r.P, s.now.v)
	sets, y := make([]int32, 0, len(s.sets)+len(fresh)), make([]float64, 0, len(s.sets))
	for i, k := range s.sets {
		if mayRest && s.next.y[i] == 0 && s.next.act[i] > slack {
			r.resting = append(r.resting, k)
			continue
		}
		sets, y = append(sets, k), append(y, s.now.y[i])
	}
	s.build(r.P, r.Context, r.Pool, append(sets, fresh...))
	s.work += int64(4*s.entries() + 20*(len(s.name)+len(s.sets)))
	s.now.resize(len(s.name), len(s.sets))
	s.fill(s.now.v, shares)
	clear(s.now.y[copy(s.now.y, y):])
	s.start()
}

// Shares are values of the variables by what they stand for, so that another LP of the same
// points can begin at them.
type Shares struct {
	Rules  []float64 // of each rule, by column and label
	Points []float64
}

// shares returns the values v.
func (m *lp) shares(p *Problem, v []float64) Shares {
	x := Shares{make([]float64, p.rules()), make([]float64, len(p.cost))}
	for i, name := range m.name {
		*x.of(m, i, name) = v[i]
	}
	return x
}

// fill sets v to x.
func (m *lp) fill(v []float64, x Shares) {
	for i, name := range m.name {
		v[i] = *x.of(m, i, name)
	}
}

// of returns the place of a variable's value.
func (x Shares) of(m *lp, i int, name int32) *float64 {
	if i < m.rules {
		return &x.Rules[name]
	}
	return &x.Points[name]
}
