package wording

import (
	"math"
	"testing"
)

func TestThousands(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", 999: "999", 1000: "1,000", -100: "-100", -1234567: "-1,234,567",
		1 << 60: "1,152,921,504,606,846,976", math.MinInt64: "-9,223,372,036,854,775,808",
	} {
		if got := Thousands(n); got != want {
			t.Errorf("Thousands(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestCount(t *testing.T) {
	for _, c := range []struct {
		n          int64
		noun, want string
	}{
		{0, "rule", "0 rules"}, {1, "rule", "1 rule"}, {2, "rule", "2 rules"},
		{1, "prefix", "1 prefix"}, {1145, "prefix", "1,145 prefixes"}, {2, "search", "2 searches"},
	} {
		if got := Count(c.n, c.noun); got != c.want {
			t.Errorf("Count(%d, %q) = %q, want %q", c.n, c.noun, got, c.want)
		}
	}
}

func TestPrintable(t *testing.T) {
	for s, want := range map[string]string{
		"priors > 3": "priors > 3", "größe ≤ 2": "größe ≤ 2", `say "yes"`: `say "yes"`,
		"": `""`, "y\tes": `"y\tes"`, "\x1b[31m": `"\x1b[31m"`, "\xff": `"\xff"`,
		"\u202e": `"\u202e"`, "a\u00a0b": `"a\u00a0b"`,
	} {
		if got := Printable(s); got != want {
			t.Errorf("Printable(%q) = %s, want %s", s, got, want)
		}
	}
}
