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

// TestRank sorts integers, decimals and reals as a library does, zeros of both signs and missing ones among them.
func TestRank(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 12))
	for range cases.Some(2000) {
		var numbers, sorted []float64
		for _, l := range randomLevels(rng) {
			for range min(l.Count, 3) {
				numbers = append(numbers, l.Value)
			}
		}
		if rng.IntN(4) == 0 { // few integers, about as many as the largest one
			for numbers = nil; len(numbers) < 1+rng.IntN(5); {
				numbers = append(numbers, float64(rng.IntN(5)))
			}
		}
		sorted = append(sorted, numbers...)
		if rng.IntN(2) == 0 {
			numbers = append(numbers, math.NaN(), math.Copysign(0, -1))
			sorted = append(sorted, 0)
		}
		if rng.IntN(3) == 0 { // what needs more digits, or has too many, comes late
			more := []float64{1.0 / 3, 1e300, -1 << 53, 5e-7, math.MaxFloat64, 1e-6, 123456.789}[rng.IntN(7)]
			numbers, sorted = append(numbers, more), append(sorted, more)
		}
		slices.Sort(sorted)
		var want []Level
		for _, v := range sorted {
			if n := len(want); n == 0 || want[n-1].Value != v {
				want = append(want, Level{Value: v})
			}
			want[len(want)-1].Count++
		}
		c := &Column{}
		c.Values, c.Codes = Rank(numbers)
		c.Counts = make([]int, len(c.Values))
		for row, code := range c.Codes {
			if c.Counts[code]++; c.Values[code] != numbers[row] && numbers[row] == numbers[row] {
				t.Fatalf("%v in row %d has the rank of %v", numbers[row], row, c.Values[code])
			}
		}
		if got := c.Levels(); !slices.Equal(got, want) {
			t.Fatalf("%v has the levels %v, not %v", numbers, got, want)
		}
	}
}
