package dataset

import (
	"slices"
	"testing"
)

// TestThresholds says which features a column of numbers has.
func TestThresholds(t *testing.T) {
	for _, c := range []struct {
		name  string
		cells string
		o     Options
		want  []string
	}{
		{"two numbers", "1 2 2", Options{}, []string{"x = 1: 100", "x = 2: 011"}},
		{"few numbers", "1 2 3 4", Options{}, []string{"x = 4: 0001", "x = 3: 0010", "x = 2: 0100", "x = 1: 1000",
			"x > 2: 0011", "x > 1: 0111", "x ≤ 3: 1110", "x ≤ 2: 1100"}},
		{"integers", "1 2 3 7 9 10", Options{Bins: 3}, []string{"x ≤ 2: 110000", "x ≤ 7: 111100", "x > 2: 001111", "x > 7: 000011"}},
		{"a round number between integers", "3 4 27 41", Options{Bins: 2}, []string{"x ≤ 10: 1100", "x > 10: 0011"}},
		{"reals", "0.12 0.48 0.52 0.91 1.7 2.3", Options{Bins: 2}, []string{"x > 0.7: 000111", "x ≤ 0.7: 111000"}},
		{"a real that is round", "0.1 0.5 0.52 0.6", Options{Bins: 2}, []string{"x ≤ 0.5: 1100", "x > 0.5: 0011"}},
		{"negative", "-41 -27 -4 -3", Options{Bins: 2}, []string{"x ≤ -20: 1100", "x > -20: 0011"}},
		{"missing is on neither side", "1 2 ? 4 5", Options{Bins: 2}, []string{"x ≤ 2: 11000", "x > 2: 00011", "x missing: 00100"}},
		{"infinities", "-inf 1 2 3 4 5 Infinity", Options{Bins: 2}, []string{"x > 3: 0000111", "x ≤ 3: 1111000"}},
		{"given cuts", "17 18 20 21 22 23", Options{Cuts: map[string][]float64{"x": {21, 18}}},
			[]string{"x ≤ 17: 100000", "x ≤ 20: 111000", "x > 17: 011111", "x > 20: 000111"}},
		{"given cuts of reals", "1.5 1.49 2", Options{Cuts: map[string][]float64{"x": {1.5}}}, []string{"x < 1.5: 010", "x ≥ 1.5: 101"}},
	} {
		c.o.atQuantiles = true
		text := oneColumn(c.cells)
		d := read(t, text, c.o)
		if got := describe(d); !slices.Equal(got, c.want) {
			t.Errorf("%s: features %q, want %q", c.name, got, c.want)
		}
		checkInvariants(t, d)
		checkTests(t, text, d, c.o)
	}
}
