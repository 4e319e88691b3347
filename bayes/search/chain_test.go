package search

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"parcorels/dataset"
	"parcorels/instance"
	"parcorels/internal/status"
	"parcorels/internal/testing/testgen"
	"parcorels/ratio"
	"parcorels/rules"
)

// pointsOf reads antecedents of PARCORELS_DATA, with the cardinalities that their names
// tell.
func pointsOf(t testing.TB, name string) (*instance.Points, []int) {
	d, err := dataset.Read(testgen.Data(t, name), dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	set, err := rules.Given(d)
	if err != nil {
		t.Fatal(err)
	}
	pts, err := instance.PointsFromSet(set)
	if err != nil {
		t.Fatal(err)
	}
	cards := make([]int, len(set.Antecedents))
	for i, a := range set.Antecedents {
		cards[i] = strings.Count(a.Name, ",") + 1
	}
	return pts, cards
}

// TestTicTacToe: from each of ten seeds the chains find the eight lines of three.
func TestTicTacToe(t *testing.T) {
	pts, cards := pointsOf(t, "corels/ttt_train.out.gz")
	p, err := newPosterior(pts, cards, usualPrior(), 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(10) {
		start := time.Now()
		best := newList(p).solution()
		for i := range 10 {
			c := newChain(p, seed, i)
			c.run(context.Background(), 30000)
			chains := time.Since(start)
			c.search(context.Background())
			s := c.best
			t.Logf("seed %d chain %d: polished %.4f (%d), %v, %v", seed, i, float64(s.value)/(1<<fracBits), len(s.rules), chains,
				time.Since(start))
			if s.Better(&best) {
				best = s
			}
		}
		if f := float64(best.value) / (1 << fracBits); math.Abs(f+117.7696) > 5e-5 || len(best.rules) != 8 {
			t.Errorf("seed %d: F = %.4f with %d rules", seed, f, len(best.rules))
		}
	}
}

// TestKnown: posteriors on public data that an independent program certified.
func TestKnown(t *testing.T) {
	for _, c := range []struct {
		name   string
		length ratio.Ratio
		want   float64
		digits float64
	}{
		{"monks1", ratio.New(3, 1), -47.49, 5e-3},
		{"monks3", ratio.New(3, 1), -28.7635, 5e-5},
	} {
		pts, cards := pointsOf(t, "corels/"+c.name+".out.gz")
		prior := usualPrior()
		prior.Length = c.length
		start := time.Now()
		r, err := Solve(context.Background(), pts, cards, Options{Prior: prior, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		f := float64(r.Posterior) / float64(Unit)
		t.Logf("%s: %.4f, %d rules, gap %.3f, %s, %d expanded, agree %d of 10, %.2f + %.2f s, %v", c.name, f, len(r.Rules),
			nats(r.Bound-r.Posterior), r.Status, r.Expanded, r.Agree, r.Seconds.Chains, r.Seconds.Exact, time.Since(start))
		if r.Status != status.Optimal || math.Abs(f-c.want) > c.digits {
			t.Errorf("%s: F = %.4f, %s, want %v", c.name, f, r.Status, c.want)
		}
	}
}

// usualPrior is that of the reference implementation.
func usualPrior() Prior {
	return Prior{Length: ratio.New(10, 1), Width: ratio.New(1, 1), Alpha1: ratio.New(1, 1), Alpha0: ratio.New(1, 1)}
}
