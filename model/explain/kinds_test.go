package explain

import (
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
