package bench

import (
	"errors"
	"strings"
	"testing"
)

func TestCompare(t *testing.T) {
	before := []float64{1.00, 1.01, 1.02, 1.03, 1.04, 1.05}
	for _, c := range []struct {
		now     []float64
		verdict string
	}{
		{[]float64{.50, .51, .52, .53, .54, .55}, "faster"},
		{[]float64{2.0, 2.1, 2.2, 2.3, 2.4, 2.5}, "slower"},
		{[]float64{.995, 1.015, 1.025, 1.035, 1.045, 1.055}, "the same within noise"},
		{[]float64{.1, .1, .1}, "too few runs to tell"},
	} {
		text, err := Compare(some("table", "", before...), some("table", "", c.now...))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(text, c.verdict); got < 2 {
			t.Errorf("%v: %q is said %d times, want it for both cases\n%s", c.now, c.verdict, got, text)
		}
		for _, other := range []string{"faster", "slower"} {
			if other != c.verdict && strings.Contains(text, other) {
				t.Errorf("%v: %q\n%s", c.now, other, text)
			}
		}
	}
}

func TestCompareParts(t *testing.T) {
	a, b := some("table", "", 1, 2, 3, 4), some("table", "", 1, 2, 3, 4)
	b[len(b)-1].Expanded = 0 // of one run: not of the median
	if text, err := Compare(a, b[:5]); err != nil || strings.Contains(text, "beta") || strings.Contains(text, "expanded") {
		t.Errorf("error %v\n%s", err, text)
	}
	if text, err := Compare(a[:5], b); err != nil || !strings.Contains(text, "Only in the second file: beta") {
		t.Errorf("error %v\n%s", err, text)
	}
	if _, err := Compare(a, some("other", "", 1)); err == nil {
		t.Error("nothing in common was compared")
	}
	for i := range b {
		b[i].Expanded *= 2
	}
	if text, err := Compare(a, b); err != nil || !strings.Contains(text, "| 1,234") || !strings.Contains(text, "+100.0%") {
		t.Errorf("error %v\n%s", err, text)
	}
}

func TestCheck(t *testing.T) {
	a := some("table", "", 1, 2)
	if err := Check(a); err != nil {
		t.Error(err)
	}
	b := some("other", "p", 1)
	b[1].Objective += 1e-9
	if err := Check(append(a, b...)); !errors.Is(err, ErrDisagree) {
		t.Errorf("error %v", err)
	}
	if _, err := Compare(a, some("table", "", 1)); err != nil {
		t.Error(err)
	}
	c := some("table", "", 1)
	c[1].Length++
	if text, err := Compare(a, c); !errors.Is(err, ErrDisagree) || text == "" {
		t.Errorf("error %v", err)
	}
	c[1].Status = "time-limit" // not certified: it may be worse
	if err := Check(append(a, c...)); err != nil {
		t.Error(err)
	}
	c[1].Status, c[1].Samples = "optimal", 11 // another table of that name
	if err := Check(append(a, c...)); err != nil {
		t.Error(err)
	}
}
