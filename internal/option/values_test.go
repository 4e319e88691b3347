package option

import (
	"errors"
	"testing"
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
		if got, err := parseSize(text); !errors.Is(err, ErrExpected) {
			t.Errorf("parseSize(%q) = %d, %v, want an error", text, got, err)
		}
	}
}

// FuzzSize takes any text for an amount of memory.
func FuzzSize(f *testing.F) {
	f.Fuzz(func(t *testing.T, text string) {
		if n, err := parseSize(text); err == nil && n < leastSize {
			t.Fatalf("%q is %d bytes", text, n)
		}
	})
}

// TestValues reads values of every type, writes them, and refuses others.
func TestValues(t *testing.T) {
	var n int
	var number, text, choice string
	var on bool
	var items []string
	for _, c := range []struct {
		value      Value
		good, bad  string
		want, zero string // what is written; the value is not
	}{
		{Integer(&n, 2, 10), "7", "11", "7", ""},
		{Number(&number, "a number", Positive), "1/3", "0", "1/3", ""},
		{Text(&text, "a text"), "a b", "", "a b", ""},
		{Choice(&choice, "one", "two"), "two", "three", "two", ""},
		{Switch(&on), "true", "maybe", "true", ""},
		{List(&items, "names", SplitNames), `a,"b,c"`, "a,,b", `a,"b,c"`, ""},
	} {
		o := &Option{Name: "x", Field: "X", Value: c.value}
		if got := o.Texts(); got != nil {
			t.Errorf("%s: %q before anything is set", c.value.Type, got)
		}
		if err := o.Set(c.good); err != nil || len(o.Texts()) != 1 || o.Texts()[0] != c.want {
			t.Errorf("%s: %q, %v, want %q", c.value.Type, o.Texts(), err, c.want)
		}
		if err := o.Check("list"); err != nil {
			t.Errorf("%s: %v", c.value.Type, err)
		}
		if err := o.Set(c.bad); !errors.Is(err, ErrExpected) {
			t.Errorf("%s: %q gives %v", c.value.Type, c.bad, err)
		}
	}
}
