package ratio

import (
	"errors"
	"testing"
)

func TestParse(t *testing.T) {
	for s, want := range map[string]Ratio{
		"0.01": {1, 100}, ".005": {1, 200}, "1e-3": {1, 1000}, "1/300": {1, 300},
		"2/4": {1, 2}, "1": {1, 1}, "-0.5": {-1, 2}, " 0.25 ": {1, 4}, "0": {0, 1}, "0e-300": {0, 1}, "0.000e999": {0, 1}, "0/5": {0, 1},
	} {
		got, err := Parse(s)
		if err != nil || got != want {
			t.Errorf("Parse(%q) = %v, %v; want %v", s, got, err, want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for s, want := range map[string]error{
		"": ErrSyntax, "abc": ErrSyntax, "0x10": ErrSyntax, "NaN": ErrSyntax, "inf": ErrSyntax,
		"1/0": ErrSyntax, "1e999999999": ErrRange, "1e-300": ErrRange, "1e-999999999": ErrRange,
		"1e99999999x": ErrSyntax, "0e+-300": ErrSyntax,
		"1e99999999+1": ErrSyntax, "1e99999999/3": ErrSyntax, "0.0000000000001": ErrRange, "1e99": ErrRange,
		"1E+0300": ErrRange, "1/1099511627777": ErrRange,
		"-9223372036854775807": ErrRange, "0.1000000000001": ErrRange, "1 2": ErrSyntax,
	} {
		if _, err := Parse(s); !errors.Is(err, want) {
			t.Errorf("Parse(%q) error = %v, want %v", s, err, want)
		}
	}
}

func TestLess(t *testing.T) {
	huge := Ratio{1 << 40, 1<<40 - 1} // whose cross products exceed 63 bits
	for _, c := range []struct {
		a, b Ratio
		want bool
	}{{Ratio{1, 200}, Ratio{1, 100}, true}, {Ratio{1, 100}, Ratio{1, 200}, false}, {huge, huge, false}, {Ratio{1, 1}, huge, true}} {
		if got := c.a.Less(c.b); got != c.want {
			t.Errorf("%v < %v: %v", c.a, c.b, got)
		}
	}
}

func TestStringRoundTrips(t *testing.T) {
	for _, s := range []string{"0.01", "0.005", "1/300", "0.25", "1", "0"} {
		r, err := Parse(s)
		if err != nil || r.String() != s {
			t.Errorf("Parse(%q).String() = %q, %v", s, r.String(), err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("0.01")
	f.Add("1/300")
	f.Add("1e-40")
	f.Fuzz(func(t *testing.T, s string) {
		r, err := Parse(s)
		if err != nil {
			return
		}
		again, err := Parse(r.String())
		if err != nil || again != r {
			t.Fatalf("%q parsed as %v but its text %q reads as %v, %v", s, r, r.String(), again, err)
		}
	})
}

func TestGCD(t *testing.T) {
	for _, c := range [][3]int64{{0, 0, 0}, {7, 0, 7}, {0, 7, 7}, {12, 18, 6}, {1 << 40, 3, 1}} {
		if got := GCD(c[0], c[1]); got != c[2] {
			t.Errorf("GCD(%d, %d) = %d", c[0], c[1], got)
		}
	}
}
