package dataset

import (
	"math"
	"strings"
	"testing"

	"parcorels/table"
)

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
