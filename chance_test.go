package parcorels

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestChance: of labels that say nothing many shuffles allow as good a list, of labels
// that a column tells none does, and any number of workers finds the same.
func TestChance(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	var rows [2][][]string
	for i := range 60 {
		x, noise := rng.IntN(100), "no"
		if rng.IntN(2) == 0 {
			noise = "yes"
		}
		signal := "no"
		if x > 55 {
			signal = "yes"
		}
		cell := []string{fmt.Sprint(x), fmt.Sprint(i % 7)}
		rows[0] = append(rows[0], append(cell[:2:2], noise))
		rows[1] = append(rows[1], append(cell[:2:2], signal))
	}
	for k, want := range []bool{false, true} {
		data, err := Table([]string{"x", "z", "y"}, rows[k], Reading{})
		if err != nil {
			t.Fatal(err)
		}
		o := Options{Workers: 1, MaxCard: 1}
		p, err := NewProblem(t.Context(), data, o)
		if err != nil {
			t.Fatal(err)
		}
		m, err := p.Fit(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		one, err := p.Chance(t.Context(), m, o, 39, 5)
		if err != nil {
			t.Fatal(err)
		}
		o.Workers = 4
		many, err := p.Chance(t.Context(), m, o, 39, 5)
		if err != nil || one != many {
			t.Errorf("one worker finds %+v, four %+v, error %v", one, many, err)
		}
		if got := one.P() <= .05; got != want {
			t.Errorf("table %d: %+v, P = %v for\n%s", k, one, one.P(), m)
		}
	}
	if _, err := (&Problem{}).Chance(t.Context(), nil, Options{}, 0, 0); err == nil {
		t.Error("no shuffle is no error")
	}
}
