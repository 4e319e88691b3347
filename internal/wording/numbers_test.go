package wording

import (
	"math"
	"testing"
	"time"
)

// TestWidths holds all that goes into columns of the progress table against
// their widths, over all magnitudes.
func TestWidths(t *testing.T) {
	for n := int64(1); n > 0; n *= 3 {
		for _, m := range []int64{n - 1, n, n + 1} {
			if s := Size(m); len(s) > 8 {
				t.Errorf("size(%d) = %q is wider than 8", m, s)
			}
			if s := Short(m); len(s) > 8 {
				t.Errorf("short(%d) = %q is wider than 8", m, s)
			}
		}
		if s := Seconds(time.Duration(n)); time.Duration(n) < 100*365*24*time.Hour && len(s) > 9 {
			t.Errorf("seconds(%d) = %q is wider than 9", n, s)
		}
	}
	if got := Size(math.MaxInt64); got != "8.0 EiB" {
		t.Errorf("size of the largest = %q", got)
	}
}

func TestPercentClaimsNothing(t *testing.T) {
	for _, c := range []struct {
		part, whole int64
		want        string
	}{
		{0, 7, "0.0%"}, {7, 7, "100.0%"}, {1, 1 << 61, "0.1%"}, {1<<61 - 1, 1 << 61, "99.9%"},
		{1, 3, "33.3%"}, {2, 3, "66.7%"}, {0, 0, ""},
	} {
		if got := Percent(c.part, c.whole); got != c.want {
			t.Errorf("Percent(%d, %d) = %q, want %q", c.part, c.whole, got, c.want)
		}
	}
}
