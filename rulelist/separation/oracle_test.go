package separation

import (
	"math/rand/v2"
	"testing"

	"parcorels/internal/testing/testgen"
)

// TestBoundNeverExceeds compares exact bounds by random weights, and by the
// weights of the LP solver, with the best completion of random prefixes; and
// asks that no rule of the best completion is ever fixed.
func TestBoundNeverExceeds(t *testing.T) {
	tight := 0
	generators := []testgen.Generator{testgen.Small, testgen.Ties, testgen.Nearly, testgen.Knotty}
	n := runs(6000)
	for seed := range n {
		rng := rand.New(rand.NewPCG(seed, 5))
		x := layOut(t, generators[seed%uint64(len(generators))](seed))
		if x.in.Points > 16 || x.in.Points == 0 || x.in.Antecedents == 0 {
			continue
		}
		c := x.p.NewContext()
		if seed%2 == 0 { // without leaving out what gains too little
			for rule := range 2 * x.in.Antecedents {
				c.Live[rule&1][rule>>1/64] |= 1 << (rule >> 1 % 64)
			}
		}
		var used uint32
		for range rng.IntN(3) {
			a := rng.IntN(x.in.Antecedents)
			used |= 1 << a
			next := &Context{}
			next.Behind(c, x.in.Columns[a])
			if c = next; seed%2 == 1 {
				x.p.restrict(c, c.Left)
			}
		}
		left := points(c.Left)
		best := x.best(left, used)
		if x.checkRandom(t, rng, c, best) && x.checkSolver(t, c, best) {
			tight++
		}
	}
	if uint64(tight) < n/20 {
		t.Errorf("only %d of %d bounds of the solver are tight: a bound of 0 would pass this test", tight, n)
	}
}

func (x laidOut) checkRandom(t *testing.T, rng *rand.Rand, c *Context, best completion) bool {
	l := x.p.NewPool()
	left := points(x.p.all) // sets that lost a point count as 0
	rng.Shuffle(len(left), func(i, j int) { left[i], left[j] = left[j], left[i] })
	x.addAll(l, left[:min(len(left), 8)])
	if l.Len() == 0 {
		return false
	}
	for range 10 {
		var weights []Weight
		for range 1 + rng.IntN(12) {
			top := x.p.rule
			if rng.IntN(2) == 0 {
				top = x.p.pointCost(left[rng.IntN(len(left))])
			}
			weights = append(weights, Weight{int32(rng.IntN(l.Len())), rng.Int64N(top+1) - top/8})
		}
		x.checkBound(t, c, l, weights, best)
	}
	return true
}

func (x laidOut) checkBound(t *testing.T, c *Context, l *Pool, weights []Weight, best completion) int64 {
	t.Helper()
	var b Bound
	value := x.p.Evaluate(&b, c, l, weights)
	if value > best.value {
		t.Fatalf("weights %v give %d, the best completion costs %d\n%v", weights, value, best.value, x.Instance)
	}
	for _, rule := range best.rules {
		if x.p.Excludes(&b, rule, best.value) {
			t.Fatalf("rule %d of the best completion is excluded\n%v", rule, x.Instance)
		}
	}
	return value
}

// checkSolver reports whether the solver's bound is tight.
func (x laidOut) checkSolver(t *testing.T, c *Context, best completion) bool {
	r := x.p.newRoot(c, 1<<30, 1)
	r.Solve(best.value, Effort{Work: 1 << 17})
	if r.Value > best.value {
		t.Fatalf("the solver's bound is %d, the best completion costs %d\n%v", r.Value, best.value, x.Instance)
	}
	for _, rule := range best.rules {
		if !r.Context.IsLive(rule) {
			t.Fatalf("rule %d of the best completion was fixed\n%v", rule, x.Instance)
		}
	}
	return r.Value > best.value-x.p.Scale
}
