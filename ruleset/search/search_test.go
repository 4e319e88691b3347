package search

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"parcorels/instance"
	"parcorels/internal/testing/must"
	"parcorels/internal/testing/testgen"
	"parcorels/ratio"
)

// drawOptions makes a random price, which may be 0, and a small K.
func drawOptions(r *rand.Rand) Options {
	return Options{Literal: ratio.New(r.Int64N(5), 1+r.Int64N(24)), Rules: 1 + r.IntN(3)}
}

// truth is the value and the revenue and cost of the best rule set, found by
// trying all sets of at most k rules, straight from the definition.
type truth struct {
	pts   *instance.Points
	price float64 // of a literal
	rules [][]int
}

func newTruth(pts *instance.Points, o Options) *truth {
	t := &truth{pts: pts, price: o.Literal.Float()}
	for m := range 1 << pts.Antecedents {
		t.rules = append(t.rules, literalsOf(m))
	}
	return t
}

// profit returns g(S) and c(S).
func (t *truth) profit(set [][]int) (g, c float64) {
	var once uint64
	for _, literals := range set {
		covered := coveredBy(t.pts, literals)
		once |= covered
		c += t.price*float64(len(literals)) + t.weight(0, covered) + .1*t.weight(1, covered)
	}
	return 1.1 * t.weight(1, once), c
}

// weight returns the weight of a class in a set of points.
func (t *truth) weight(class int, set uint64) (w float64) {
	for ; set != 0; set &= set - 1 {
		w += float64(t.pts.Weights[class][bits.TrailingZeros64(set)])
	}
	return w
}

// best returns g and c of the best set of at most k rules.
func (t *truth) best(k int) (g, c float64) {
	var set [][]int
	var descend func(from int)
	descend = func(from int) {
		if a, b := t.profit(set); a-b > g-c {
			g, c = a, b
		}
		if len(set) == k {
			return
		}
		for i := from; i < len(t.rules); i++ {
			set = append(set, t.rules[i])
			descend(i + 1)
			set = set[:len(set)-1]
		}
	}
	descend(0)
	return g, c
}

// TestSolve compares the value, the guarantee and the upper bound with the best of
// all rule sets, and the rules for different numbers of workers.
func TestSolve(t *testing.T) {
	for seed := range testgen.Seeds(400) {
		r := rand.New(rand.NewPCG(uint64(seed), 2))
		pts, o := draw(r, 3+min(seed%10, 2)), drawOptions(r)
		tr := newTruth(pts, o)
		g, c := tr.best(o.Rules)
		var first *Result
		for _, workers := range []int{1, 2, 3 + seed%13, 16} {
			o.Workers = workers
			got := must.Get(Solve(context.Background(), pts, o))(t)
			if first == nil {
				first = got
			}
			if !reflect.DeepEqual(got.Rules, first.Rules) || got.UpperBound != first.UpperBound || got.Slack != first.Slack {
				t.Fatalf("seed %d: %d workers find %v, 1 finds %v", seed, workers, got.Rules, first.Rules)
			}
		}
		const eps = 1e-9
		value, bound := float64(first.Value)/float64(first.Unit), float64(first.UpperBound)/float64(first.Unit)
		set := [][]int{}
		for _, rule := range first.Rules {
			set = append(set, rule.Literals)
		}
		a, b := tr.profit(set)
		switch {
		case len(set) > o.Rules || value < a-b-eps || value > a-b+eps:
			t.Fatalf("seed %d: value %v of %d rules, by the definition %v", seed, value, len(set), a-b)
		case value > g-c+eps || bound < g-c-eps:
			t.Fatalf("seed %d: value %v, bound %v, best %v", seed, value, bound, g-c)
		case value < first.Rho*g-c-first.Slack-eps:
			t.Fatalf("seed %d: value %v, guarantee %v·%v − %v − %v", seed, value, first.Rho, g, c, first.Slack)
		case first.Slack != 0:
			t.Fatalf("seed %d: slack %v, though nothing was cut short", seed, first.Slack)
		}
	}
}

// TestStopped: a search that is stopped at once, or by a limit that is too short for anything, returns sound bounds.
func TestStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for seed := range testgen.Seeds(100) {
		r := rand.New(rand.NewPCG(uint64(seed), 3))
		pts, o := draw(r, 4), drawOptions(r)
		g, c := newTruth(pts, o).best(o.Rules)
		for _, ctx := range []context.Context{ctx, context.Background()} {
			got, err := Solve(ctx, pts, o)
			if err != nil || !got.Stopped {
				t.Fatal(err, got)
			}
			if bound := float64(got.UpperBound) / float64(got.Unit); bound < g-c-1e-9 || got.Value > got.UpperBound {
				t.Fatalf("seed %d: bound %v, best %v, value %v", seed, bound, g-c, got.Value)
			}
			o.Time = time.Nanosecond // too short for anything
		}
	}
}

func TestMultipliers(t *testing.T) {
	for k := 1; k <= maxRules; k += 1 + k/3 {
		a := multipliers(k)
		if a[k-1] != one {
			t.Errorf("K=%d: the last multiplier is %d", k, a[k-1])
		}
		for i := 1; i < k; i++ {
			if a[i-1]*int64(k) > a[i]*int64(k-1) || a[i-1] < 0 {
				t.Errorf("K=%d: %d before %d", k, a[i-1], a[i])
			}
		}
	}
}
