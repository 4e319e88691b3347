package bench

import (
	"testing"
)

// TestExecuteSideBySide: searches side by side find what one finds and take the
// memory of all of them.
func TestExecuteSideBySide(t *testing.T) {
	c := Case{Instance: "monk1", Lambda: "0.05", Workers: 1}
	one, err := Execute(t.Context(), c, "")
	if err != nil {
		t.Fatal(err)
	}
	c.Copies = 3
	three, err := Execute(t.Context(), c, "")
	if err != nil {
		t.Fatal(err)
	}
	if three.Status != "optimal" || three.Objective != one.Objective || three.Expanded != one.Expanded {
		t.Errorf("three side by side: %s, objective %v with %d prefixes; one: %v with %d",
			three.Status, three.Objective, three.Expanded, one.Objective, one.Expanded)
	}
	if three.SearchBytes != 3*one.SearchBytes || three.SecondsSearch <= 0 {
		t.Errorf("%d bytes for three searches in %v s, %d for one", three.SearchBytes, three.SecondsSearch, one.SearchBytes)
	}
}
