package cli

import (
	"errors"
	"math"
	"testing"
	"time"
)

func TestParseSize(t *testing.T) {
	for text, want := range map[string]int64{
		"8GiB": 8 << 30, "8g": 8 << 30, "1.5 GiB": 3 << 29, "500MB": 500e6, "1048576": 1 << 20, "2048k": 2 << 20, "1TB": 1e12,
	} {
		if got, err := parseSize(text); err != nil || got != want {
			t.Errorf("parseSize(%q) = %d, %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "8", "GiB", "8XB", "8 8", "-8GiB", "NaN", "inf", "1e30GiB", "8GiBB", "0GiB", "9999999TiB"} {
		if got, err := parseSize(text); !errors.Is(err, errExpected) {
			t.Errorf("parseSize(%q) = %d, %v, want an error", text, got, err)
		}
	}
}

// TestWidths holds all that goes into columns of the progress table against
// their widths, over all magnitudes.
func TestWidths(t *testing.T) {
	for n := int64(1); n > 0; n *= 3 {
		for _, m := range []int64{n - 1, n, n + 1} {
			if s := size(m); len(s) > 8 {
				t.Errorf("size(%d) = %q is wider than 8", m, s)
			}
			if s := short(m); len(s) > 8 {
				t.Errorf("short(%d) = %q is wider than 8", m, s)
			}
		}
		if s := seconds(time.Duration(n)); time.Duration(n) < 100*365*24*time.Hour && len(s) > 9 {
			t.Errorf("seconds(%d) = %q is wider than 9", n, s)
		}
	}
	if got := size(math.MaxInt64); got != "8.0 EiB" {
		t.Errorf("size of the largest = %q", got)
	}
}
