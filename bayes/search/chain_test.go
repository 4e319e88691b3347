package search

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parcorels/dataset"
	"parcorels/instance"
	"parcorels/rules"
)

// given reads antecedents of PARCORELS_DATA, with the cardinalities that their names
// tell.
func given(t testing.TB, name string) (*instance.Points, []int) {
	dir := os.Getenv("PARCORELS_DATA")
	if dir == "" {
		t.Skip("PARCORELS_DATA is not set")
	}
	d, err := dataset.Read(filepath.Join(dir, name), dataset.Options{})
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
	pts, cards := given(t, "corels/ttt_train.out.gz")
	p, err := newPosterior(pts, cards, DefaultPrior(), 0)
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
			t.Logf("seed %d chain %d: polished %.4f (%d), %v, %v", seed, i, float64(s.value)/(1<<fracBits), len(s.rules), chains, time.Since(start))
			if s.better(&best) {
				best = s
			}
		}
		if f := float64(best.value) / (1 << fracBits); math.Abs(f+117.7696) > 5e-5 || len(best.rules) != 8 {
			t.Errorf("seed %d: F = %.4f with %d rules", seed, f, len(best.rules))
		}
	}
}
