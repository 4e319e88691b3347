package dataset

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"parcorels/table"
)

func ptr(v float64) *float64 { return &v }

func TestHolds(t *testing.T) {
	const bad = -1 // an error
	for _, c := range []struct {
		test Test
		cell string
		want int
	}{
		{Test{Kind: Is, Value: "a b"}, " a b ", 1},
		{Test{Kind: Is, Value: "a"}, "A", 0},
		{Test{Kind: Is, Value: "a"}, "never seen", 0},
		{Test{Kind: Is, Value: "a"}, "?", 0},
		{Test{Kind: Is, Value: "a", Complete: true}, "?", bad},
		{Test{Kind: Is, Value: "?", MissingWords: []string{}}, "?", 1},
		{Test{Kind: Missing}, "na", 1},
		{Test{Kind: Missing}, "  ", 1},
		{Test{Kind: Missing}, "0", 0},
		{Test{Kind: Missing, MissingWords: []string{"-9"}}, "-9", 1},
		{Test{Kind: Missing, MissingWords: []string{"-9"}}, "NA", 0},
		{Test{Kind: True, Complete: true}, "Yes", 1},
		{Test{Kind: True, Complete: true}, "0.0", 0},
		{Test{Kind: True, Complete: true}, "maybe", bad},
		{Test{Kind: True, Complete: true}, "2", bad},
		{Test{Kind: True, Complete: true}, "", bad},
		{Test{Kind: Number, Value: "3"}, "3.00", 1},
		{Test{Kind: Number, Value: "3"}, "3.01", 0},
		{Test{Kind: Number, Value: "3"}, "three", bad},
		{Test{Kind: Interval, Low: ptr(2), High: ptr(3)}, "2", 1},
		{Test{Kind: Interval, Low: ptr(2), High: ptr(3)}, "2.999", 1},
		{Test{Kind: Interval, Low: ptr(2), High: ptr(3)}, "3", 0},
		{Test{Kind: Interval, Low: ptr(2)}, "inf", 1},
		{Test{Kind: Interval, High: ptr(2)}, "-Infinity", 1},
		{Test{Kind: Interval, High: ptr(2)}, "1,5", bad},
		{Test{Kind: Interval, High: ptr(2)}, "NaN", 0},
		{Test{Kind: Interval, High: ptr(2), MissingWords: []string{}}, "NaN", bad},
		{Test{Kind: Interval, High: ptr(2)}, "0x1", bad},
		{Test{Kind: Interval, High: ptr(2)}, "1e999", bad},
		{Test{Kind: Threshold, High: ptr(2)}, "2", 1},
		{Test{Kind: Threshold, High: ptr(2)}, "2.01", 0},
		{Test{Kind: Threshold, Low: ptr(2)}, "2", 0},
		{Test{Kind: Threshold, Low: ptr(2)}, "2.01", 1},
		{Test{Kind: Threshold, Low: ptr(2)}, "?", 0},
		{Test{Kind: Threshold, High: ptr(2)}, "?", 0},
		{Test{Kind: Threshold, High: ptr(2), Complete: true}, "?", bad},
		{Test{Kind: Threshold, Low: ptr(2), High: ptr(3)}, "2", 0},
		{Test{Kind: Threshold, Low: ptr(2), High: ptr(3)}, "3", 1},
		{Test{Kind: Given}, "1", 1},
		{Test{Kind: Given}, "0", 0},
		{Test{Kind: Given}, "yes", bad},
		{Test{Kind: "other"}, "1", bad},
	} {
		text, err := json.Marshal(c.test)
		if err != nil {
			t.Fatal(err)
		}
		var back Test
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		for _, test := range []Test{c.test, back} {
			holds, err := test.Holds(c.cell)
			got := 0
			switch {
			case err != nil:
				got = bad
			case holds:
				got = 1
			}
			if got != c.want {
				t.Errorf("%s of %q: %v, %v; want %d", text, c.cell, holds, err, c.want)
			}
		}
	}
}

// TestNumbersReadBack checks that a number's text stands for the same number.
func TestNumbersReadBack(t *testing.T) {
	for _, v := range []float64{0, 1, -1, 0.1, 1e15, 123456789012345, 1e-5, 9.999e-6, 1 << 53, math.MaxFloat64,
		math.SmallestNonzeroFloat64, math.Inf(1), math.Inf(-1)} {
		if back, ok := ParseNumber(table.FormatNumber(v)); !ok || back != v {
			t.Errorf("%v is written %s and read %v, %v", v, table.FormatNumber(v), back, ok)
		}
	}
	if v, ok := ParseNumber("-0.0"); !ok || math.Signbit(v) {
		t.Errorf("-0.0 is read %v, %v", v, ok)
	}
	for _, text := range []string{"", "nan", "0x1p-2", "1_000", "1e400", "--1", "1.2.3", "e5", "١", strings.Repeat("1", 500)} {
		if v, ok := ParseNumber(text); ok {
			t.Errorf("%q is read as %v", text, v)
		}
	}
}

func TestNegatedNames(t *testing.T) {
	column := func(name, column string, kind Kind, complete bool) Feature {
		return Feature{Name: name, Column: column, Test: Test{Kind: kind, Complete: complete}}
	}
	for _, c := range []struct {
		f    Feature
		want string
	}{
		{column("is_smiling", "is_smiling", True, true), "not is_smiling"},
		{column("a = b", "a = b", True, true), "not a = b"},
		{column("shape = round", "shape", Is, true), "shape ≠ round"},
		{column("x = 3", "x", Number, false), "x ≠ 3"},
		{column("priors > 3", "priors", Interval, true), "priors ≤ 3"},
		{column("priors > 3", "priors", Interval, false), "not (priors > 3)"},
		{column("priors ≤ 3", "priors", Interval, true), "priors > 3"},
		{column("x < 1.5", "x", Interval, true), "x ≥ 1.5"},
		{column("x ≥ 1.5", "x", Interval, true), "x < 1.5"},
		{column("x < 1.5", "x", Interval, false), "not (x < 1.5)"},
		{column("age missing", "age", Missing, false), "age not missing"},
		{column("age missing #2", "age", Missing, false), "age not missing #2"},
		{column("{sex:Male}", "", Given, false), "not {sex:Male}"},
	} {
		if got := c.f.NegatedName(); got != c.want {
			t.Errorf("%s negated is %q, want %q", c.f.Name, got, c.want)
		}
	}
}

func TestNamesAreUnique(t *testing.T) {
	d := read(t, "a,a = b,c,label\nb,yes,\"x\x1b\",1\nc,no,y,0\nd,no,y,0\n", Options{})
	want := []string{"a = b", "a = c", "a = d", "a = b #2", `c = "x\x1b"`, "c = y"}
	for i, f := range d.Features {
		if f.Name != want[i] {
			t.Errorf("feature %d is called %q, want %q", i, f.Name, want[i])
		}
	}
	taken := table.Namer{"x.1": 1}
	for _, want := range []string{"x", "x.2", "x.3"} {
		if got := taken.Unique("x", ".", 1); got != want {
			t.Errorf("the name is %q, want %q", got, want)
		}
	}
}

// TestSides: a cut between integers is shown by the last of those below.
func TestSides(t *testing.T) {
	for _, c := range []struct {
		cut     float64
		integer bool
		want    string
	}{{21, true, "x ≤ 20, x > 20"}, {20.5, true, "x ≤ 20, x > 20"}, {-5, true, "x ≤ -6, x > -6"}, {1.5, false, "x < 1.5, x ≥ 1.5"},
		{1e-7, false, "x < 1e-07, x ≥ 1e-07"}} {
		below, from := new(parts).sides("x", c.cut, c.integer)
		if got := below + ", " + from; got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
