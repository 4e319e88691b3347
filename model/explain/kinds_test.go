package explain

import (
	"slices"
	"testing"

	"parcorels/dataset"
)

// TestOneNumber: what is a number to a test is one to explanations, and nothing
// else is.
func TestOneNumber(t *testing.T) {
	for text, want := range map[string]bool{"8": true, "-1.5e3": true, "inf": true, "0x1p3": false, "0x10": false, "1_000": false,
		"1e999": false, "eight": false} {
		low := 0.0
		_, err := dataset.Test{Kind: dataset.Threshold, Low: &low}.Holds(text)
		k := &kinds{breaks: []float64{0}, ordered: 3}
		if got := err == nil; got != want {
			t.Errorf("%s is a number to a test: %t", text, got)
		}
		if got := k.place(text) >= 0; got != want {
			t.Errorf("%s is a number to an explanation: %t", text, got)
		}
	}
}

// TestKindsOfTexts: texts that all conditions treat alike are one kind.
func TestKindsOfTexts(t *testing.T) {
	k := &kinds{column: "town"}
	k.addTexts([][]string{{"a", "b", "c"}, {"c"}, {"d"}})
	if want := []string{"town in {a, b}", "town = c", "town = d", "town other than a, b, c, d"}; !slices.Equal(k.names, want) {
		t.Errorf("kinds %q, want %q", k.names, want)
	}
	for cell, want := range map[string]int{"a": 0, " b ": 0, "c": 1, "d": 2, "e": -1} {
		if got := k.place(cell); got != want {
			t.Errorf("%q is of kind %d, want %d", cell, got, want)
		}
	}
}
