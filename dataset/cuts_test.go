package dataset

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// randomLevels returns some levels of integers, short decimals or any reals.
func randomLevels(rng *rand.Rand) []level {
	values := map[float64]int{}
	kind := rng.IntN(3)
	spread := math.Pow(10, float64(rng.IntN(8)-3))
	for range 6 + rng.IntN(200) {
		v := (rng.Float64() - 0.3) * spread * 100
		switch kind {
		case 0:
			v = math.Trunc(v)
		case 1:
			v = math.Round(v*100) / 100
		}
		values[v+0] += 1 + rng.IntN(1<<rng.IntN(8))
	}
	if rng.IntN(8) == 0 {
		values[math.Inf(1)] = 1
	}
	if rng.IntN(8) == 0 {
		values[math.Inf(-1)] = 2
	}
	var levels []level
	for v, n := range values {
		levels = append(levels, level{v, n})
	}
	slices.SortFunc(levels, func(a, b level) int { return int(math.Copysign(1, a.value-b.value)) })
	return levels
}

// TestQuantileCuts checks for random levels that cuts part them into at most
// as many intervals as asked, none empty, and that a quantile has a cut near it
// if it can.
func TestQuantileCuts(t *testing.T) {
	for seed := range seeds(3000) {
		rng := rand.New(rand.NewPCG(seed, 7))
		levels := randomLevels(rng)
		bins := 2 + rng.IntN(8)
		if len(levels) <= bins {
			continue
		}
		cuts := quantileCuts(levels, integers(levels), bins)
		if len(cuts) < 1 || len(cuts) >= bins || !slices.IsSorted(cuts) {
			t.Fatalf("seed %d: cuts %v for %d intervals of %v", seed, cuts, bins, levels)
		}
		counts := make([]int, len(cuts)+1)
		total := 0
		for _, l := range levels {
			counts[interval(cuts, l.value)] += l.count
			total += l.count
		}
		if slices.Contains(counts, 0) {
			t.Fatalf("seed %d: intervals hold %v: cuts %v of %v", seed, counts, cuts, levels)
		}
		below := func(cut float64) (n int) {
			for _, l := range levels {
				if l.value < cut {
					n += l.count
				}
			}
			return n
		}
		for b := 1; b < bins; b++ {
			// Both sides of the comparison leave two samples for rounding.
			off := func(cut float64) int { return max(bins*below(cut)-b*total, b*total-bins*below(cut)) }
			can := func(l level) bool { return 10*off(l.value)+20*bins <= total }
			has := func(cut float64) bool { return 10*off(cut) <= total+20*bins }
			if slices.ContainsFunc(levels[1:], can) && !slices.ContainsFunc(cuts, has) && !math.IsInf(levels[0].value, -1) {
				t.Fatalf("seed %d: no cut near quantile %d of %d: cuts %v of %v", seed, b, bins, cuts, levels)
			}
		}
	}
}

// TestRoundest compares with trying all multiples of the grids that are coarser
// than the one taken.
func TestRoundest(t *testing.T) {
	for seed := range seeds(3000) {
		rng := rand.New(rand.NewPCG(seed, 8))
		scale := math.Pow(10, float64(rng.IntN(12)-6))
		low := (rng.Float64() - 0.4) * scale
		high := low + rng.Float64()*scale*math.Pow(10, -float64(rng.IntN(5)))
		if rng.IntN(2) == 0 {
			low, high = math.Trunc(low*100), math.Trunc(high*100)
		}
		if low >= high {
			continue
		}
		got := roundest(low, high, low)
		if got < low || got >= high || got == 0 && math.Signbit(got) {
			t.Fatalf("seed %d: %v is not in [%v, %v)", seed, got, low, high)
		}
		for e := 12; e >= -15; e-- {
			for _, unit := range []float64{10, 5} {
				step := power10(unit, e-1)
				if isMultiple(got, step) {
					e = -100 // finer grids may have others
					break
				}
				for m := math.Ceil(low/step) - 1; m*step < high && m < math.Ceil(low/step)+2; m++ {
					if v := power10(m*unit, e-1); low <= v && v < high {
						t.Fatalf("seed %d: %v was taken in [%v, %v), but %v is rounder", seed, got, low, high, v)
					}
				}
			}
		}
	}
}

func isMultiple(v, step float64) bool {
	q := v / step
	return math.Abs(q-math.Round(q)) < 1e-9*math.Max(1, math.Abs(q))
}

func TestIntervalNames(t *testing.T) {
	for _, c := range []struct {
		low, high *float64
		integer   bool
		want      string
	}{
		{nil, ptr(21), true, "x ≤ 20"},
		{nil, ptr(20.5), true, "x ≤ 20"},
		{ptr(21), ptr(23), true, "x in 21–22"},
		{ptr(20.5), ptr(22.5), true, "x in 21–22"},
		{ptr(3), ptr(4), true, "x = 3"},
		{ptr(4), nil, true, "x > 3"},
		{ptr(3.5), nil, true, "x > 3"},
		{ptr(-5), ptr(0), true, "x in -5 to -1"},
		{ptr(0), ptr(5), true, "x in 0–4"},
		{nil, ptr(1.5), false, "x < 1.5"},
		{ptr(1.5), ptr(2.7), false, "x in [1.5, 2.7)"},
		{ptr(1e-7), nil, false, "x ≥ 1e-07"},
	} {
		if got := new(parts).intervalName("x", c.low, c.high, c.integer); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// TestRoundCuts shows what people get for what they know.
func TestRoundCuts(t *testing.T) {
	var ages, incomes []level
	for a := 18; a < 97; a++ {
		ages = append(ages, level{float64(a), 97 - a})
	}
	for i := range 1000 {
		incomes = append(incomes, level{1234.56 + 87.31*float64(i), 1})
	}
	if got, want := quantileCuts(ages, true, 5), []float64{26, 36, 46, 61}; !slices.Equal(got, want) {
		t.Errorf("cuts of ages: %v, want %v", got, want)
	}
	if got, want := quantileCuts(incomes, false, 5), []float64{20000, 35000, 55000, 70000}; !slices.Equal(got, want) {
		t.Errorf("cuts of incomes: %v, want %v", got, want)
	}
}
