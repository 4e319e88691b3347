package search

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/testgen"
	"parcorels/parallel"
	"parcorels/rulelist/prune"
	"parcorels/rulelist/separation"
)

// spoil changes what a seed says of the root: weights at random, steps out of order, sets that
// nobody has looked for, and now and then what is no set.
func spoil(rng *rand.Rand, x *Seed, points int) {
	weights := func(of []separation.Weight) {
		for i := range of {
			switch rng.IntN(6) {
			case 0:
				of[i].Y = rng.Int64() >> rng.IntN(63)
			case 1:
				of[i].Y = -of[i].Y
			case 2:
				of[i].Y *= 2
			case 3:
				of[i].Set = int32(rng.IntN(len(x.Root.Sets)))
			}
		}
	}
	x.Ahead = 1 + rng.Int64N(prune.MostNodes)
	if x.Surcharge > 0 {
		x.Surcharge += int64(rng.IntN(3) - 1)
	}
	for _, s := range x.Root.Steps {
		weights(s.Weights)
	}
	weights(x.Root.Best)
	weights(x.Root.Last)
	rng.Shuffle(len(x.Root.Steps), func(i, j int) { x.Root.Steps[i], x.Root.Steps[j] = x.Root.Steps[j], x.Root.Steps[i] })
	x.Root.Steps = append(x.Root.Steps, separation.Step{Weights: slices.Clone(x.Root.Best)},
		separation.Step{Weights: slices.Clone(x.Root.Last)})
	if rng.IntN(3) > 0 {
		return
	}
	var heavy []separation.Weight // pairs that nobody has looked for, of one label or two
	apart, y := 1+rng.IntN(max(1, points/2)), int64(1)<<rng.IntN(50)
	for e := range points - apart {
		if e/apart%2 == 0 {
			heavy = append(heavy, separation.Weight{Set: int32(len(x.Root.Sets)), Y: y})
			x.Root.Sets = append(x.Root.Sets, []separation.Point{separation.Point(e), separation.Point(e + apart)})
		}
	}
	x.Root.Best = heavy
	x.Root.Steps = append(x.Root.Steps, separation.Step{Weights: heavy})
}

// TestSeedIsNotBelieved: whatever a seed says, the smallest list is found, or the seed is refused.
func TestSeedIsNotBelieved(t *testing.T) {
	seeded, refused, fixed := 0, 0, 0
	for seedOf := range uint64(cases.Some(600)) {
		rng := rand.New(rand.NewPCG(seedOf, 131))
		in := []testgen.Generator{testgen.Small, testgen.Ties, testgen.Wide, testgen.Knotty}[seedOf%4](seedOf)
		want, err := in.Best()
		if err != nil {
			t.Fatal(err)
		}
		points := reduced(t, in)
		o := Options{Lambda: in.Lambda, MaxRules: in.MaxRules, Workers: 1, hooks: &hooks{always: true}}
		first, err := NewBase(t.Context(), points, o, nil)
		if err != nil {
			t.Fatal(err)
		}
		var x Seed
		if b, err := json.Marshal(first.Seed()); err != nil || json.Unmarshal(b, &x) != nil {
			t.Fatal(err)
		}
		same, err := NewBase(t.Context(), points, o, &x)
		if err != nil {
			t.Fatal(err)
		}
		if x.Root == nil {
			continue
		}
		if a, b := first.s.separated.Root, same.s.separated.Root; a.Live() != b.Live() || b.Value < a.Value {
			t.Fatalf("seed %d: the root has %d live rules and bound %d, that of its seed %d and %d", seedOf, a.Live(), a.Value, b.Live(),
				b.Value)
		}
		fixed += len(x.Root.Steps)
		if spoil(rng, &x, points.Points); rng.IntN(2) == 0 {
			x.List = nil
		}
		r, err := NewBase(context.Background(), points, o, &x)
		if errors.Is(err, ErrSeed) {
			refused++
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		seeded++
		run := r.NewRun(Part{})
		result, err := run.Search(t.Context(), nil)
		if err != nil || result.Status != parallel.Optimal {
			t.Fatalf("seed %d: %v, %v", seedOf, err, result.Status)
		}
		if got := run.Incumbent(); got.Objective != want.Objective || !slices.Equal(indices(got.List), want.Antecedents) {
			t.Fatalf("seed %d: %v, want %v\n%v", seedOf, got, want, in)
		}
	}
	t.Logf("%d seeded, %d refused, %d steps", seeded, refused, fixed)
	if seeded < 20 || refused == 0 || fixed < 10 {
		t.Errorf("%d seeded, %d refused, %d steps: nothing is tested", seeded, refused, fixed)
	}
}
