package cuts

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/internal/testing/cases"
)

// randomLevels returns some levels of integers, short decimals or any reals.
func randomLevels(rng *rand.Rand) []Level {
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
	var levels []Level
	for v, n := range values {
		levels = append(levels, Level{v, n})
	}
	slices.SortFunc(levels, func(a, b Level) int { return int(math.Copysign(1, a.Value-b.Value)) })
	return levels
}

// TestQuantileCuts checks for random levels that cuts part them into at most
// as many intervals as asked, none empty, and that a quantile has a cut near it
// if it can.
func TestQuantileCuts(t *testing.T) {
	for seed := range cases.Some(3000) {
		rng := rand.New(rand.NewPCG(uint64(seed), 7))
		levels := randomLevels(rng)
		bins := 2 + rng.IntN(8)
		if len(levels) <= bins {
			continue
		}
		cuts := quantileCuts(levels, Integers(levels), bins)
		if len(cuts) < 1 || len(cuts) >= bins || !slices.IsSorted(cuts) {
			t.Fatalf("seed %d: cuts %v for %d intervals of %v", seed, cuts, bins, levels)
		}
		counts := make([]int, len(cuts)+1)
		total := 0
		for _, l := range levels {
			counts[interval(cuts, l.Value)] += l.Count
			total += l.Count
		}
		if slices.Contains(counts, 0) {
			t.Fatalf("seed %d: intervals hold %v: cuts %v of %v", seed, counts, cuts, levels)
		}
		below := func(cut float64) (n int) {
			for _, l := range levels {
				if l.Value < cut {
					n += l.Count
				}
			}
			return n
		}
		for b := 1; b < bins; b++ {
			// Both sides of the comparison leave two samples for rounding.
			off := func(cut float64) int { return max(bins*below(cut)-b*total, b*total-bins*below(cut)) }
			can := func(l Level) bool { return 10*off(l.Value)+20*bins <= total }
			has := func(cut float64) bool { return 10*off(cut) <= total+20*bins }
			if slices.ContainsFunc(levels[1:], can) && !slices.ContainsFunc(cuts, has) && !math.IsInf(levels[0].Value, -1) {
				t.Fatalf("seed %d: no cut near quantile %d of %d: cuts %v of %v", seed, b, bins, cuts, levels)
			}
		}
	}
}

// TestRoundest compares with trying all multiples of the grids that are coarser
// than the one taken.
func TestRoundest(t *testing.T) {
	for seed := range cases.Some(3000) {
		rng := rand.New(rand.NewPCG(uint64(seed), 8))
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

// TestRoundCuts shows what people get for what they know.
func TestRoundCuts(t *testing.T) {
	var ages, incomes []Level
	for a := 18; a < 97; a++ {
		ages = append(ages, Level{float64(a), 97 - a})
	}
	for i := range 1000 {
		incomes = append(incomes, Level{1234.56 + 87.31*float64(i), 1})
	}
	if got, want := quantileCuts(ages, true, 5), []float64{26, 36, 46, 61}; !slices.Equal(got, want) {
		t.Errorf("cuts of ages: %v, want %v", got, want)
	}
	if got, want := quantileCuts(incomes, false, 5), []float64{20000, 35000, 55000, 70000}; !slices.Equal(got, want) {
		t.Errorf("cuts of incomes: %v, want %v", got, want)
	}
}

// TestThreshold checks for random levels that a threshold splits them where it
// should, and is an integer between integers.
func TestThreshold(t *testing.T) {
	for seed := range cases.Some(2000) {
		levels := randomLevels(rand.New(rand.NewPCG(uint64(seed), 9)))
		for i := range len(levels) - 1 {
			if math.IsInf(levels[i].Value, -1) {
				continue
			}
			c := Threshold(levels, i)
			if c < levels[i].Value || c >= levels[i+1].Value || Integers(levels) && c != math.Trunc(c) {
				t.Fatalf("seed %d: threshold %v between %v and %v", seed, c, levels[i].Value, levels[i+1].Value)
			}
		}
	}
}

// TestPlacesOfCuts compares with the parts that the cuts make.
func TestPlacesOfCuts(t *testing.T) {
	for seed := range cases.Some(2000) {
		rng := rand.New(rand.NewPCG(uint64(seed), 10))
		levels := randomLevels(rng)
		bins := 2 + rng.IntN(8)
		if len(levels) <= bins {
			continue
		}
		cuts := quantileCuts(levels, Integers(levels), bins)
		at := placesOfCuts(levels, cuts)
		for i, l := range levels {
			got := 0
			for _, place := range at {
				if place < i {
					got++
				}
			}
			if got != interval(cuts, l.Value) {
				t.Fatalf("seed %d: level %v is behind %d of places %v, and behind %d of cuts %v", seed, l.Value, got, at,
					interval(cuts, l.Value), cuts)
			}
		}
	}
}

// interval returns the number of cuts up to v.
func interval(cuts []float64, v float64) (n int) {
	for _, c := range cuts {
		if c <= v {
			n++
		}
	}
	return n
}
