package parcorels

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"parcorels/model"
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
		one, err := p.Chance(t.Context(), m, o, ChanceOptions{Shuffles: 39, Seed: 5})
		if err != nil {
			t.Fatal(err)
		}
		o.Workers = 4
		many, err := p.Chance(t.Context(), m, o, ChanceOptions{Shuffles: 39, Seed: 5})
		if err != nil || one != many {
			t.Errorf("one worker finds %+v, four %+v, error %v", one, many, err)
		}
		first, err := p.Chance(t.Context(), m, o, ChanceOptions{Shuffles: 8, Seed: 5})
		if err != nil {
			t.Fatal(err)
		}
		if all, err := p.Chance(t.Context(), m, o, ChanceOptions{Shuffles: 39, Made: first, Seed: 5}); err != nil || all != one {
			t.Errorf("39 shuffles find %+v, 8 and then 31 find %+v, error %v", one, all, err)
		}
		if got := one.P() <= .05; got != want {
			t.Errorf("table %d: %+v, P = %v for\n%s", k, one, one.P(), m)
		}
	}
	if _, err := (&Problem{}).Chance(t.Context(), nil, Options{}, ChanceOptions{}); err == nil {
		t.Error("no shuffle is no error")
	}
}

// TestDealt: labels stay with their group, which exchanges them with groups of its size alone,
// and every label is dealt once.
func TestDealt(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	moved := false
	for range 200 {
		n := 1 + rng.IntN(30)
		groups, size := make([]int, n), map[int]int{}
		for i := range groups {
			groups[i] = rng.IntN(1 + n/2)
			size[groups[i]]++
		}
		order, seen, from := dealt(n, groups, rng), map[int]bool{}, map[int]int{}
		for i, o := range order {
			if seen[o] || size[groups[o]] != size[groups[i]] {
				t.Fatalf("row %d of %v gets the label of row %d", i, groups, o)
			}
			if g, known := from[groups[i]]; known && g != groups[o] {
				t.Fatalf("group %d of %v gets labels of %d and %d", groups[i], groups, g, groups[o])
			}
			seen[o], from[groups[i]] = true, groups[o]
			moved = moved || groups[o] != groups[i]
		}
	}
	if !moved {
		t.Error("no group gets the labels of another")
	}
}

// TestChanceEndsInTime: what the deadline leaves is not known.
func TestChanceEndsInTime(t *testing.T) {
	data, err := Table([]string{"x", "y"}, [][]string{{"a", "no"}, {"b", "yes"}, {"a", "no"}, {"b", "yes"}}, Reading{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewProblem(t.Context(), data, Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := p.Fit(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	if c, err := p.Chance(ctx, m, Options{}, ChanceOptions{Shuffles: 5}); err != nil || c != (Chance{5, 0, 5}) || c.P() != 1 {
		t.Errorf("%+v, %v", c, err)
	}
}

// TestRelabelling: where labels do not choose the antecedents, the problem of shuffled labels is
// made of the points that are known, and is the one that would be made of the samples.
func TestRelabelling(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	var words, numbers [][]string
	for range 80 {
		row := []string{fmt.Sprint("a", rng.IntN(4)), fmt.Sprint("b", rng.IntN(3)), fmt.Sprint("c", rng.IntN(2))}
		words = append(words, append(row[:3:3], fmt.Sprint(rng.IntN(2))))
		numbers = append(numbers, append(row[:2:2], fmt.Sprint(rng.IntN(50)), fmt.Sprint(rng.IntN(2))))
	}
	for _, c := range []struct {
		rows   [][]string
		o      Options
		r      Reading
		reused bool
	}{
		{words, Options{}, Reading{}, true},
		{words, Options{Family: model.Tree}, Reading{}, true},
		{words, Options{}, Reading{ClassWeights: "balanced"}, false},
		{words, Options{MaxAntecedents: 10}, Reading{}, false},
		{words, Options{Family: model.RuleSet}, Reading{}, false},
		{numbers, Options{}, Reading{}, false},
	} {
		data, err := Table([]string{"x", "y", "z", "label"}, c.rows, c.r)
		if err != nil {
			t.Fatal(err)
		}
		s, err := c.o.resolve(c.r)
		if err != nil {
			t.Fatal(err)
		}
		p, err := s.problem(t.Context(), data)
		if err != nil {
			t.Fatal(err)
		}
		again, err := p.relabelling(s)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(5) {
			other := &Data{shuffled(data.Dataset, nil, rand.New(rand.NewPCG(seed, 1))), c.r}
			got, err := again.problem(other)
			if err != nil || (got != nil) != c.reused {
				t.Fatalf("%+v: known points are used: %v, error %v", c.o, got != nil, err)
			}
			if got == nil {
				continue
			}
			want, err := s.problem(t.Context(), other)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got.instance, want.instance) || !reflect.DeepEqual(got.points, want.points) {
				t.Fatalf("%+v, seed %d: the problem is another one", c.o, seed)
			}
		}
	}
}
