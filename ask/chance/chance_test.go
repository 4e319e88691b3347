package chance

import (
	"context"
	"fmt"
	"math/rand/v2"
	"parcorels/internal/testing/must"
	"parcorels/report"
	"testing"

	"parcorels/family"
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
		data := must.Get(family.Table([]string{"x", "z", "y"}, rows[k], family.Reading{}))(t)
		o := family.Options{Workers: 1, MaxCard: 1}
		p := must.Get(family.NewProblem(t.Context(), data, o))(t)
		m := must.Get(p.Fit(t.Context(), o))(t)
		one := must.Get(Ask(t.Context(), p, Options{Options: o, Model: m, Shuffles: 39, Seed: 5}))(t)
		o.Workers = 4
		many, err := Ask(t.Context(), p, Options{Options: o, Model: m, Shuffles: 39, Seed: 5})
		if err != nil || one != many {
			t.Errorf("one worker finds %+v, four %+v, error %v", one, many, err)
		}
		first := must.Get(Ask(t.Context(), p, Options{Options: o, Model: m, Shuffles: 8, Seed: 5}))(t)
		if all, err := Ask(t.Context(), p, Options{Options: o, Model: m, Shuffles: 39, Made: first, Seed: 5}); err != nil || all != one {
			t.Errorf("39 shuffles find %+v, 8 and then 31 find %+v, error %v", one, all, err)
		}
		if got := one.P <= .05; got != want {
			t.Errorf("table %d: %+v, P = %v for\n%s", k, one, one.P, m)
		}
	}
	if _, err := Ask(t.Context(), &family.Problem{}, Options{}); err == nil {
		t.Error("no shuffle is no error")
	}
}

// TestWishesOfShuffles: the numbers of shuffled labels have other cuts, and a condition that is forbidden or a direction may have
// none.
func TestWishesOfShuffles(t *testing.T) {
	var rows [][]string
	for i := range 90 {
		rows = append(rows, []string{fmt.Sprint(i * 37 % 45), []string{"no", "yes"}[i*37%45/30]})
	}
	data := must.Get(family.Table([]string{"x", "y"}, rows, family.Reading{}))(t)
	set, err := family.Mine(t.Context(), data, family.Options{})
	if err != nil || len(set.Antecedents) == 0 {
		t.Fatal(set, err)
	}
	for _, o := range []family.Options{{Forbid: []string{set.Antecedents[0].Name}}, {Increasing: []string{"x"}}} {
		p := must.Get(family.NewProblem(t.Context(), data, o))(t)
		m := must.Get(p.Fit(t.Context(), o))(t)
		if got, err := Ask(t.Context(), p, Options{Options: o, Model: m, Shuffles: 20, Seed: 1}); err != nil || got.Shuffles != 20 {
			t.Errorf("%+v: %+v, %v", o, got, err)
		}
	}
}

// TestChanceEndsInTime: what the deadline leaves is not known.
func TestChanceEndsInTime(t *testing.T) {
	data, err := family.Table([]string{"x", "y"}, [][]string{{"a", "no"}, {"b", "yes"}, {"a", "no"}, {"b", "yes"}}, family.Reading{})
	if err != nil {
		t.Fatal(err)
	}
	p := must.Get(family.NewProblem(t.Context(), data, family.Options{}))(t)
	m := must.Get(p.Fit(t.Context(), family.Options{}))(t)
	ctx, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	if c, err := Ask(ctx, p, Options{Model: m, Shuffles: 5}); err != nil || c != (report.Chance{Shuffles: 5, Unproved: 5, P: 1}) {
		t.Errorf("%+v, %v", c, err)
	}
}
