package graph

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/must"
)

// TestFairest compares the best list within limits with going through all lists.
func TestFairest(t *testing.T) {
	active := 0
	for seed := range uint64(cases.Short(20_000)) {
		s := newSmall(seed, 4)
		rng := rand.New(rand.NewPCG(seed, 8))
		p := s.problem()
		limits := make([]Limit, 1+rng.IntN(2))
		for k := range limits {
			limits[k] = Limit{Value: make([]int64, p.Points), Least: -rng.Int64N(12), Most: rng.Int64N(12)}
		}
		values := make([][]int64, len(limits))
		for k := range values {
			for i := range s.rows {
				v := int64(rng.IntN(11) - 5)
				values[k] = append(values[k], v)
				limits[k].Value[s.pointOf[i]] += v
			}
		}
		var want Model
		found, first := false, Model{Objective: none}
		for _, m := range s.models(none) {
			l, within := m.Model, true
			if l.smaller(first) {
				first = l
			}
			for k := range limits {
				sum := int64(0)
				for i := range s.rows {
					if m.predicted.of(i) == 1 {
						sum += values[k][i]
					}
				}
				within = within && limits[k].keeps(sum)
			}
			if within && (!found || l.smaller(want)) {
				want, found = l, true
			}
		}
		got, err := Fairest(t.Context(), p, limits, Options{Workers: 1}, nil, 0)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if got.Objective != want.Objective || compareNodes(got.Preorder, want.Preorder) != 0 || !got.Optimal() {
			t.Fatalf("seed %d: %+v, want %+v", seed, got, want)
		}
		known, err := Fairest(t.Context(), p, limits, Options{Workers: 1}, []Model{first}, first.Objective)
		if err != nil || known.Objective != want.Objective || len(known.Preorder) != len(want.Preorder) || !known.Optimal() {
			t.Fatalf("seed %d: from the best list without limits %+v, want %+v (%v)", seed, known, want, err)
		}
		if want.Objective > first.Objective {
			active++
		} else if slices.Equal(want.Preorder, first.Preorder) && known.Solves > 0 {
			t.Fatalf("seed %d: a search, though the best of all lists is within the limits", seed)
		}
	}
	if active < 1 {
		t.Errorf("the limits mattered %d times", active)
	}
}

// TestFairestLimited asks for a bound that is true where a limit ends the search.
func TestFairestLimited(t *testing.T) {
	open := 0
	for seed := range uint64(cases.Short(1_000)) {
		s := newSmall(seed, 4)
		rng := rand.New(rand.NewPCG(seed, 10))
		p := s.problem()
		limit := Limit{Value: make([]int64, p.Points), Least: -rng.Int64N(5), Most: rng.Int64N(5)}
		for i := range limit.Value {
			limit.Value[i] = int64(rng.IntN(11) - 5)
		}
		if sum := added(limit.Value); sum > limit.Most || -sum > limit.Most {
			limit.Least, limit.Most = -max(sum, -sum), max(sum, -sum)
		}
		best := must.Get(Fairest(t.Context(), p, []Limit{limit}, Options{Workers: 1}, nil, 0))(t)
		got := must.Get(Fairest(t.Context(), p, []Limit{limit}, Options{Workers: 1, States: 1}, nil, 0))(t)
		if got.Bound > best.Objective || got.Objective < best.Objective {
			t.Fatalf("seed %d: from %d to %d, the best is %d", seed, got.Bound, got.Objective, best.Objective)
		}
		if !got.Optimal() {
			open++
		}
		known, err := Fairest(t.Context(), p, []Limit{limit}, Options{Workers: 1, States: 1}, []Model{best.Model}, 0)
		if err != nil || known.Objective != best.Objective || known.Bound > known.Objective {
			t.Fatalf("seed %d: %+v from the best list %+v (%v)", seed, known, best, err)
		}
	}
	if open == 0 {
		t.Error("no limit had any effect")
	}
}

func added(values []int64) (sum int64) {
	for _, v := range values {
		sum += v
	}
	return sum
}

// TestFairestKnown compares with what an independent program found.
func TestFairestKnown(t *testing.T) {
	for _, k := range []struct {
		lambda    string
		share     float64
		objective string
	}{
		{"0.02", .1, "0.399257"}, {"0.02", .05, "0.413830"}, {"0.02", .01, "0.413830"},
		{"0.01", .15, "0.369189"}, {"0.01", .1, "0.379515"}, {"0.01", .05, "0.383042"},
	} {
		p, in, l := corels(t, "compas_train", k.lambda)
		male := compasMale(t)
		n1 := int64(0)
		for _, m := range male {
			if m {
				n1++
			}
		}
		n0 := int64(len(male)) - n1
		most := int64(k.share * float64(n0) * float64(n1))
		limit := Limit{Value: make([]int64, p.Points), Least: -most, Most: most}
		for i, at := range pointsOf(p, "compas_train", t) {
			if male[i] {
				limit.Value[at] += n0
			} else {
				limit.Value[at] -= n1
			}
		}
		start := time.Now()
		got := must.Get(Fairest(t.Context(), p, []Limit{limit}, Options{}, nil, 0))(t)
		value := float64(got.Objective) / float64(l.Den*in.Total)
		t.Logf("λ %s δ %v: %.6f, D %.4f, %d states, %d solves, %v", k.lambda, k.share, value, float64(got.D[0]), got.States, got.Solves,
			time.Since(start))
		if !got.Optimal() || sixDigits(value) != k.objective {
			t.Errorf("objective %.6f, want %s", value, k.objective)
		}
	}
}
